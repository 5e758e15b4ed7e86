import { UnsupportedFormat } from '../formats/unsupported-format.js';

/** Bytes of an audio stream. A port delivers the bytes of a stream that another thread serves. */
export type AudioBody = ReadableStream<Uint8Array> | Blob | ArrayBuffer | MessagePort;

/** Reads a body. */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/** The reader requests bytes or cancels. The other end answers each `pull` with bytes, the end, or an error. */
type PortRequest = 'pull' | 'cancel';
type PortAnswer = { bytes: Uint8Array } | { done: true } | { error: string; isFormat: boolean };

/** Returns a stream of a body's bytes. A body on another thread is read only as fast as the stream. Any thread. */
export function streamOf(body: AudioBody): ReadableStream<Uint8Array> {
  if (!(body instanceof MessagePort)) return body instanceof ReadableStream ? body : new Response(body).body!;
  let settle: (message: PortAnswer) => void;
  body.onmessage = ({ data }: MessageEvent<PortAnswer>) => settle(data);
  const request = (what: PortRequest): void => body.postMessage(what);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const answer = await new Promise<PortAnswer>((resolve) => {
          settle = resolve;
          request('pull');
        });
        if ('bytes' in answer) return controller.enqueue(answer.bytes);
        body.close();
        if ('done' in answer) controller.close();
        else controller.error(answer.isFormat ? new UnsupportedFormat(answer.error) : new Error(answer.error));
      },
      cancel: () => {
        request('cancel');
        body.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Reads a stream for another thread, which has the other end of the port. Any thread.
 *
 * @returns A function that cancels the stream.
 */
export function serve(reader: BodyReader, port: MessagePort): () => void {
  const post = (answer: PortAnswer): void => port.postMessage(answer);
  const postBytes = (bytes: unknown): void => {
    // Posting a view would clone its whole buffer. The reader rejects anything else.
    const own = bytes instanceof Uint8Array ? bytes.slice() : (bytes as Uint8Array<ArrayBuffer>);
    port.postMessage({ bytes: own } satisfies PortAnswer, bytes instanceof Uint8Array ? [own.buffer] : []);
  };
  const fail = (error: unknown): void => {
    const { name, message = String(error) } = Object(error) as Partial<Error>;
    post({ error: message, isFormat: name === 'UnsupportedFormat' });
  };
  const cancel = (): void => {
    port.close();
    reader.cancel().catch(() => {});
  };
  port.onmessage = ({ data }: MessageEvent<PortRequest>) => {
    if (data === 'cancel') cancel();
    else reader.read().then(({ done, value }) => (done ? post({ done }) : postBytes(value)), fail);
  };
  return cancel;
}
