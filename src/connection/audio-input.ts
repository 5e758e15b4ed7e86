import type { Container } from '../formats/index.js';
import type { AudioBody } from './audio-body.js';

/** An audio stream as the main thread describes it to the worker. */
export type AudioInput = {
  /** Sample rate in Hz for raw samples whose Content-Type does not name one. */
  readonly sampleRate: number | undefined;
  /** Takes `CompressedAudio`, and then delivers the decoded audio as a WAV file. */
  readonly decoder: MessagePort;
} & (
  | { readonly type: 'request'; readonly url: string; readonly init: RequestInit; readonly body: AudioBody | null }
  | ({ readonly type: 'body'; readonly body: AudioBody } & AudioFacts)
);

/** Compressed audio, which the worker gives to the main thread to be decoded. */
export interface CompressedAudio {
  readonly container: Container;
  /** Delivers the bytes: see `streamOf`. */
  readonly bytes: MessagePort;
}

/** The facts about an HTTP answer that matter for its audio. */
export interface AudioFacts {
  /** Status of the answer; 200 if there was none. */
  readonly status: number;
  readonly contentType: string;
  /** Length of the body in bytes; null if it is not known. */
  readonly length: number | null;
}

/** Reads the facts about an HTTP answer. Any thread. */
export function factsOf({ status, headers, type }: Response): AudioFacts {
  // A compressed body has another length once it is decoded, and across origins its encoding may be hidden.
  const isPlain = type !== 'cors' && !headers.has('content-encoding');
  const length = isPlain ? Number(headers.get('content-length') ?? Number.NaN) : Number.NaN;
  return { status, contentType: headers.get('content-type') ?? '', length: Number.isFinite(length) ? length : null };
}
