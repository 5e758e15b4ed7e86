import { withoutSecrets } from '../base/without-secrets.js';
import { type AudioBody, serve, streamOf } from '../connection/audio-body.js';
import { type AudioInput, factsOf, type PreparedAudio, type UnknownAudio } from '../connection/audio-input.js';
import { describeStreamFailure } from './stream-failure.js';

/** Audio that a page gives to a speaker. A string is a URL. */
export type AudioSource = string | URL | Request | Response | ReadableStream<Uint8Array> | Blob | ArrayBuffer;

/**
 * Describes an audio stream for the worker, which fetches its bytes or gets them as they are read, or samples that the page
 * pushes through a port. Main thread.
 *
 * @param crossOrigin - As the `crossorigin` attribute of HTML: `use-credentials` also sends cookies to other origins.
 *   For a URL only.
 * @param over - Rejects when the audio is no longer wanted. A stream is then cancelled.
 * @throws {TypeError} If a string is not a URL.
 */
export function prepareAudio(
  source: AudioSource | MessagePort,
  sampleRate: number | undefined,
  crossOrigin: string | null,
  over: Promise<unknown>,
): PreparedAudio {
  const decoder = decoderPort();
  const common = { sampleRate, decoder };
  const prepared = (input: AudioInput, transfer: Transferable[] = []): PreparedAudio => {
    return { input, transfer: [...transfer, decoder], describeFailure: describeStreamFailure };
  };
  if (typeof source === 'string' || source instanceof URL) {
    const credentials = crossOrigin?.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin';
    return prepared({
      ...common,
      type: 'request',
      url: absoluteUrl(String(source)),
      init: { credentials },
      body: null,
    });
  }
  if (source instanceof Request) {
    const request = { ...common, type: 'request', url: source.url, init: initOf(source) } as const;
    const isBodiless = source.method === 'GET' || source.method === 'HEAD';
    if (isBodiless) return prepared({ ...request, body: null });
    const { body, transfer } = bodyOf(wholeBody(source), over);
    return prepared({ ...request, body }, transfer);
  }
  if (source instanceof MessagePort) {
    const input = { type: 'pushed', port: source, sampleRate: sampleRate! } as const;
    return { input, transfer: [source], describeFailure: describeStreamFailure };
  }
  const { body, transfer } = bodyOf(source instanceof Response ? source.body : source, over);
  const facts =
    source instanceof Response
      ? factsOf(source)
      : { status: 200, contentType: source instanceof Blob ? source.type : '', length: null };
  return prepared({ ...common, type: 'body', body, ...facts }, transfer);
}

function absoluteUrl(url: string): string {
  // Resolve the URL here, because the worker has another base URL. fetch() refuses a password in it.
  const base = withoutSecrets(document.baseURI);
  if (URL.canParse(url, base)) return new URL(url, base).href;
  const [start] = url.split(/[?#]/);
  throw new TypeError(
    `${withoutSecrets(start!)} is not a URL. Set the address of an audio stream, or a session URL (wss:).`,
  );
}

/** The parts of a request that another thread needs to repeat it. */
function initOf(request: Request): RequestInit {
  const { method, credentials, mode, cache, redirect, referrer, referrerPolicy, integrity } = request;
  const headers = [...request.headers];
  return { method, headers, credentials, mode, cache, redirect, referrer, referrerPolicy, integrity };
}

/** Returns the body of a request as a stream that is read when needed. Not every browser has `Request.body`. */
function wholeBody(request: Request): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

function bodyOf(
  body: ReadableStream<Uint8Array> | Blob | ArrayBuffer | null,
  over: Promise<unknown>,
): { body: AudioBody; transfer: Transferable[] } {
  if (body === null) return { body: new ArrayBuffer(0), transfer: [] };
  if (!(body instanceof ReadableStream)) return { body, transfer: [] };
  if (!canTransferStreams()) return readHere(body, over);
  // `cancel` rejects once the stream is transferred. The worker then cancels it.
  over.catch(() => body.cancel()).catch(() => {});
  return { body, transfer: [body] };
}

/** Quirk `webkit-stream-transfer`: WebKit cannot transfer streams: https://bugs.webkit.org/show_bug.cgi?id=215485. */
function canTransferStreams(): boolean {
  try {
    const stream = new ReadableStream();
    structuredClone(stream, { transfer: [stream] });
    return true;
  } catch {
    return false;
  }
}

/** Reads a stream on this thread, when the worker asks for bytes. */
function readHere(
  stream: ReadableStream<Uint8Array>,
  over: Promise<unknown>,
): { body: AudioBody; transfer: Transferable[] } {
  const { port1, port2 } = new MessageChannel();
  over.catch(serve(stream.getReader(), port1));
  return { body: port2, transfer: [port2] };
}

/** Returns the port for a decoder, see `AudioInput`. The decoder is loaded when the worker needs it. */
function decoderPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { bytes, ...audio } }: MessageEvent<UnknownAudio>) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    serve(readable.getReader(), port1);
    const encoded = streamOf(bytes);
    import('./decode-audio.js')
      .then(({ decodeAudio }) => decodeAudio(audio, encoded).pipeTo(writable))
      // Both have an effect only if the file did not load.
      .catch((error: unknown) => Promise.all([writable.abort(error), encoded.cancel()]))
      .catch(() => {});
  };
  return port2;
}
