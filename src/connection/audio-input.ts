/** Bytes of an audio stream. A port brings those that the main thread reads: see `AudioPortMessage`. */
export type AudioBody = ReadableStream<Uint8Array> | Blob | ArrayBuffer | MessagePort;

/** An audio stream as the main thread describes it to the worker. `sampleRate`: of raw samples whose type does not say. */
export type AudioInput = { readonly sampleRate: number | undefined } & (
  | { readonly type: 'request'; readonly url: string; readonly init: RequestInit; readonly body: AudioBody | null }
  | ({ readonly type: 'body'; readonly body: AudioBody } & AudioFacts)
);

/** The facts about an HTTP answer that matter for its audio. */
export interface AudioFacts {
  /** Status of the answer; 200 if there was none. */
  readonly status: number;
  readonly contentType: string;
  /** Length of the body in bytes; null if it is not known. */
  readonly length: number | null;
}

/** Over a port, the worker asks for bytes or cancels; the main thread answers each `pull` with bytes, the end, or an error. */
export type AudioPortMessage = { bytes: Uint8Array } | { done: true } | { error: string };
export type AudioPortRequest = 'pull' | 'cancel';

/** Reads the facts about an HTTP answer. Any thread. */
export function factsOf({ status, headers, type }: Response): AudioFacts {
  // A compressed body has another length once it is decoded, and across origins its encoding may be hidden.
  const isPlain = type !== 'cors' && !headers.has('content-encoding');
  const length = isPlain ? Number(headers.get('content-length') ?? Number.NaN) : Number.NaN;
  return { status, contentType: headers.get('content-type') ?? '', length: Number.isFinite(length) ? length : null };
}
