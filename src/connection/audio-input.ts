import type { SpeakerError } from '../base/speaker-error.js';
import type { AudioBody } from './audio-body.js';

/** An audio stream, as the main thread describes it to the worker. */
export type AudioInput = {
  /** Sample rate in Hz of raw samples whose Content-Type does not give one. */
  readonly sampleRate: number | undefined;
  /** Port that takes an `UnknownAudio`, and then delivers its audio as a WAV file. */
  readonly decoder: MessagePort;
} & (
  | { readonly type: 'request'; readonly url: string; readonly init: RequestInit; readonly body: AudioBody | null }
  | ({ readonly type: 'body'; readonly body: AudioBody } & AudioFacts)
);

/** A piece of a pushed input: samples, their little-endian bytes, or these bytes as base64. Null is the end. */
export type PushedChunk = Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer> | ArrayBuffer | string | null;

/** Samples that the page pushes through a port, as a `PushedChunk` each. `sampleRate` is in Hz. */
export interface PushedInput {
  readonly type: 'pushed';
  readonly port: MessagePort;
  readonly sampleRate: number;
}

/** An audio stream on its way to the worker. */
export interface PreparedAudio {
  readonly input: AudioInput | PushedInput;
  /** Objects to transfer with the input. */
  readonly transfer: Transferable[];
  /** Makes the page's error for the failure that the worker reports. */
  readonly describeFailure: (cause: StreamFailure) => SpeakerError;
}

/** Reason why an audio stream gives no more audio. */
export type StreamFailure =
  /** The request for an audio stream got no response; `message` is the browser's. */
  | { type: 'request-failed'; url: string; isCrossOrigin: boolean; message: string }
  /** The response has no audio. `url` is null if the page made the request. */
  | { type: 'http-status'; url: string | null; status: number }
  /** An audio stream ended early, after `bytes`. `expected` is null if the number of bytes is unknown. */
  | { type: 'stream-ended'; bytes: number; expected: number | null; message: string }
  /** An audio stream has a format that cannot be played. */
  | { type: 'format'; received: string };

/** An audio stream, or the rest of one, that the worker passes to the main thread for parsing and decoding. */
export interface UnknownAudio {
  readonly contentType: string;
  /** Sample rate in Hz of raw samples whose type does not give one. */
  readonly sampleRate: number | undefined;
  /** Sample rate in Hz of the result; 0 for that of the stream. */
  readonly outputRate: number;
  /** Port that delivers the bytes; see `streamOf`. */
  readonly bytes: MessagePort;
}

/** The facts about an HTTP response that matter for its audio. */
export interface AudioFacts {
  /** Status of the response; 200 if there was none. */
  readonly status: number;
  readonly contentType: string;
  /** Length of the body in bytes; null if unknown. */
  readonly length: number | null;
}

/** Reads the facts about an HTTP response. Any thread. */
export function factsOf({ status, headers, type }: Response): AudioFacts {
  // The length of a compressed body changes when it is decoded, and across origins its encoding may be hidden.
  const isPlain = type !== 'cors' && !headers.has('content-encoding');
  const length = isPlain ? Number(headers.get('content-length') ?? Number.NaN) : Number.NaN;
  return { status, contentType: headers.get('content-type') ?? '', length: Number.isFinite(length) ? length : null };
}
