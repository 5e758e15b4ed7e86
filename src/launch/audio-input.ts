import { type AudioBody, type AudioInput, type AudioPortMessage, factsOf } from '../connection/audio-input.js';

/** Audio that a page gives to a speaker. A string is a URL. */
export type AudioSource = string | URL | Request | Response | ReadableStream<Uint8Array> | Blob | ArrayBuffer;

/** An audio stream on its way to the worker. */
export interface PreparedAudio {
  readonly input: AudioInput;
  /** To be transferred with it. */
  readonly transfer: Transferable[];
}

/**
 * Describes an audio stream for the worker: its bytes are fetched there, or go there as they are read. Main thread.
 *
 * @param crossOrigin - As the `crossorigin` attribute of HTML: `use-credentials` sends cookies to other origins, too. For
 *   a URL only.
 * @param over - Rejects when the audio is no longer wanted: a stream is cancelled then.
 * @throws {TypeError} If it is not a URL.
 */
export function prepareAudio(
  source: AudioSource,
  sampleRate: number | undefined,
  crossOrigin: string | null,
  over: Promise<unknown>,
): PreparedAudio {
  if (typeof source === 'string' || source instanceof URL) {
    const credentials = crossOrigin?.toLowerCase() === 'use-credentials' ? 'include' : 'same-origin';
    const url = absoluteUrl(String(source));
    return { input: { type: 'request', sampleRate, url, init: { credentials }, body: null }, transfer: [] };
  }
  if (source instanceof Request) {
    const request = { type: 'request', sampleRate, url: source.url, init: initOf(source) } as const;
    if (source.method === 'GET' || source.method === 'HEAD') return { input: { ...request, body: null }, transfer: [] };
    const { body, transfer } = bodyOf(wholeBody(source), over);
    return { input: { ...request, body }, transfer };
  }
  const { body, transfer } = bodyOf(source instanceof Response ? source.body : source, over);
  const facts =
    source instanceof Response
      ? factsOf(source)
      : { status: 200, contentType: source instanceof Blob ? source.type : '', length: null };
  return { input: { type: 'body', sampleRate, body, ...facts }, transfer };
}

function absoluteUrl(url: string): string {
  // The worker has another base URL.
  if (URL.canParse(url, document.baseURI)) return new URL(url, document.baseURI).href;
  throw new TypeError(`${url} is not a URL. Set the address of an audio stream, or a session URL (wss:).`);
}

/** The parts of a request that another thread needs to repeat it. */
function initOf(request: Request): RequestInit {
  const { method, credentials, mode, cache, redirect, referrer, referrerPolicy, integrity } = request;
  const headers = [...request.headers];
  return { method, headers, credentials, mode, cache, redirect, referrer, referrerPolicy, integrity };
}

/** The body of a request, read when it is needed: not every browser has `Request.body`. */
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
  // Rejects once it is transferred: the worker cancels it then.
  over.catch(() => body.cancel()).catch(() => {});
  return { body, transfer: [body] };
}

/** Safari cannot: https://bugs.webkit.org/show_bug.cgi?id=215485. */
function canTransferStreams(): boolean {
  try {
    const stream = new ReadableStream();
    structuredClone(stream, { transfer: [stream] });
    return true;
  } catch {
    return false;
  }
}

/** Reads a stream on this thread, and posts each chunk when the worker asks for it. */
function readHere(
  stream: ReadableStream<Uint8Array>,
  over: Promise<unknown>,
): { body: AudioBody; transfer: Transferable[] } {
  const { port1, port2 } = new MessageChannel();
  const reader = stream.getReader();
  const cancel = (): void => {
    port1.close();
    reader.cancel().catch(() => {});
  };
  over.catch(cancel);
  const post = (message: AudioPortMessage): void => port1.postMessage(message);
  const fail = (error: unknown): void => post({ error: error instanceof Error ? error.message : String(error) });
  port1.onmessage = ({ data }: MessageEvent<'pull' | 'cancel'>) => {
    if (data === 'cancel') cancel();
    else reader.read().then(({ done, value }) => post(done ? { done } : { bytes: value }), fail);
  };
  return { body: port2, transfer: [port2] };
}
