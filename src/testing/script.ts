import type { NetworkName } from './networks.js';
import { generatePcm, type PcmSource } from './pcm.js';

/** Audio to send: what it sounds like, how it is cut into frames, and how fast they go out. */
export interface FramesSpec extends PcmSource {
  /** How much of it; a second if neither this nor `samples` says. */
  readonly seconds?: number;
  /** Instead of `seconds`. */
  readonly samples?: number;
  /** Exactly these samples, instead of all that makes them; not in a URL. `rate` says how fast they are. */
  readonly pcm?: Int16Array;
  /** Where in the signal to begin, in samples. */
  readonly from?: number;
  /** Bytes of audio per frame, without the header; may be odd. 1920 (40 ms at 24 kHz) if left out. */
  readonly bytesPerFrame?: number;
  /** `burst` (default): all at once. `realtime`, or a number: so many times real time. */
  readonly pace?: 'burst' | 'realtime' | number;
  /** A frame that is only a header goes before every so many frames. */
  readonly headerOnlyEvery?: number;
  /** Byte order of the headers; `big` if left out. */
  readonly byteOrder?: 'big' | 'little';
  /** Version byte; 1 if left out. */
  readonly version?: number;
  /** Sequence number of the first frame; goes on from the frame before if left out. */
  readonly sequence?: number;
  /** Leaves out one sequence number before every so many frames. */
  readonly skipSequenceEvery?: number;
}

/** One thing that the gateway does on a socket. A script is a list of them, done one after the other. */
export type GatewayStep =
  /** Goes on when the client has sent such a message (each counts once), or after so many milliseconds. */
  | { readonly wait: 'synthesize' | 'end' | number }
  | { readonly frames: FramesSpec }
  /** Sends a text message: JSON, or any text. */
  | { readonly json: unknown }
  | { readonly text: string }
  /** Sends a binary message of exactly these bytes. */
  | { readonly bytes: readonly number[] }
  /** Sends `context_done`: with this id; with that of the latest message waited for (true); without one (null). */
  | { readonly done: string | true | null }
  | { readonly error: string }
  /** Closes the socket; the script ends. */
  | { readonly close: number; readonly reason?: string }
  /** Drops the connection without a closing handshake (the client sees 1006); the script ends. */
  | { readonly terminate: true }
  /** Holds back what the following steps send for so many milliseconds; then it comes all at once, in order. */
  | { readonly stall: number }
  /** Answers the handshake with this HTTP status. Only as the first step. */
  | { readonly refuse: number }
  /** What is sent from now on takes its way through a network; time begins here. */
  | { readonly network: NetworkName; readonly seed?: number }
  /** Does steps again and again. */
  | { readonly repeat: number | 'always'; readonly steps: readonly GatewayStep[] };

/** Samples that a `frames` step carries. */
export function samplesOf(spec: FramesSpec): number {
  return spec.pcm?.length ?? spec.samples ?? Math.round((spec.seconds ?? 1) * (spec.rate ?? 24000));
}

/** The samples of a `frames` step, to compare with what was heard. */
export function pcmOf(spec: FramesSpec): Int16Array {
  return spec.pcm ?? generatePcm(spec, samplesOf(spec), spec.from);
}

/** A service that speaks: for each utterance, audio after its `end`, then its `context_done`. */
export function speaking(frames: FramesSpec): GatewayStep[] {
  return [{ repeat: 'always', steps: [{ wait: 'end' }, { frames }, { done: true }] }];
}

/**
 * Socket URL that carries its own script.
 *
 * @param base - Of the gateway: `ws://localhost:1234/`.
 * @param query - More for the query, such as `sample_rate`, or an `id` by which the log can be asked for the connection.
 */
export function scriptUrl(
  base: string,
  steps: readonly GatewayStep[],
  query: Readonly<Record<string, string | number>> = {},
): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  url.searchParams.set('script', JSON.stringify(steps));
  return url.href;
}

/** What the gateway remembers of one socket. Times are milliseconds since the epoch. */
export interface GatewayConnection {
  /** Path and query that were asked for, without the script. */
  readonly path: string;
  /** `id` of the query; empty if there is none. */
  readonly id: string;
  /** When the handshake came, in ms since the epoch. */
  readonly openedAt: number;
  /** What the client sent: parsed if it is JSON, else as text. */
  readonly messages: { readonly at: number; readonly message: unknown }[];
  /** Binary messages that have been sent. */
  framesSent: number;
  /** When the last of them was sent; 0 before. */
  lastFrameAt: number;
  /** Samples in them. */
  samplesSent: number;
  /** Set when the socket has ended. */
  closed: { readonly at: number; readonly code: number; readonly reason: string } | null;
}

/** Answer of `GET /log` (`?id=` for the connections with that id). */
export interface GatewayLog {
  /** Sockets that are open now. */
  readonly open: number;
  /** Sockets that were refused by their script. */
  readonly refused: number;
  readonly connections: readonly GatewayConnection[];
}
