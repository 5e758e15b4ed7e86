import type { NetworkName } from './networks.js';
import { generatePcm, type PcmSource } from './pcm.js';

/** Audio to send: the signal, its division into frames, and their timing. */
export interface FramesSpec extends PcmSource {
  /** Length in seconds; 1 if neither this nor `samples` is given. */
  readonly seconds?: number;
  /** Length in samples, instead of `seconds`. */
  readonly samples?: number;
  /** Exactly these samples instead of a generated signal; not possible in a URL. `rate` gives their sample rate. */
  readonly pcm?: Int16Array;
  /** Offset in the signal, in samples. */
  readonly from?: number;
  /** Bytes of audio per frame, without the header; may be odd. 1920 by default (40 ms at 24 kHz). */
  readonly bytesPerFrame?: number;
  /** `burst` (default): all at once. `realtime`: in real time. A number: that multiple of real time. */
  readonly pace?: 'burst' | 'realtime' | number;
  /** Sends a header-only frame before every n-th frame. */
  readonly headerOnlyEvery?: number;
  /** Byte order of the headers; `big` by default. */
  readonly byteOrder?: 'big' | 'little';
  /** Version byte; 1 by default. */
  readonly version?: number;
  /** Sequence number of the first frame; continues from the previous frame by default. */
  readonly sequence?: number;
  /** Skips a sequence number before every n-th frame. */
  readonly skipSequenceEvery?: number;
}

/** One action of the gateway on a socket. A script is a list of steps that run one after the other. */
export type GatewayStep =
  /** Waits for a message of this type from the client (each counts once), or for this many milliseconds. */
  | { readonly wait: 'synthesize' | 'end' | number }
  | { readonly frames: FramesSpec }
  /** Sends a text message: JSON, or any text. */
  | { readonly json: unknown }
  | { readonly text: string }
  /** Sends a binary message of exactly these bytes. */
  | { readonly bytes: readonly number[] }
  /** Sends `context_done`: with this id; with the id of the latest awaited message (true); or without an id (null). */
  | { readonly done: string | true | null }
  | { readonly error: string }
  /** Closes the socket and ends the script. With 1005, the close frame has no code. */
  | { readonly close: number; readonly reason?: string }
  /** Drops the connection without a closing handshake (the client sees 1006) and ends the script. */
  | { readonly terminate: true }
  /**
   * Holds back everything that the following steps send for this many milliseconds; then sends it all at once, in
   * order.
   */
  | { readonly stall: number }
  /** Answers the handshake with this HTTP status. Only as the first step. */
  | { readonly refuse: number }
  /** Sends everything from now on through a network, whose time starts here. */
  | { readonly network: NetworkName; readonly seed?: number }
  /** Repeats steps. */
  | { readonly repeat: number | 'always'; readonly steps: readonly GatewayStep[] };

/** Returns the number of samples of a `frames` step. */
export function samplesOf(spec: FramesSpec): number {
  return spec.pcm?.length ?? spec.samples ?? Math.round((spec.seconds ?? 1) * (spec.rate ?? 24000));
}

/** Returns the samples of a `frames` step, for comparison with a recording. */
export function pcmOf(spec: FramesSpec): Int16Array {
  return spec.pcm ?? generatePcm(spec, samplesOf(spec), spec.from);
}

/** Returns the script of a service that speaks: for each utterance, audio after its `end`, then its `context_done`. */
export function speaking(frames: FramesSpec): GatewayStep[] {
  return [{ repeat: 'always', steps: [{ wait: 'end' }, { frames }, { done: true }] }];
}

/**
 * Returns a socket URL that carries its own script.
 *
 * @param base - URL of the gateway: `ws://localhost:1234/`.
 * @param query - More query parameters, such as `sample_rate`, or an `id` that selects the connection in the log.
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

/** Log of one socket. Times are milliseconds since the epoch. */
export interface GatewayConnection {
  /** Requested path and query, without the script. */
  readonly path: string;
  /** `id` of the query; empty if there is none. */
  readonly id: string;
  /** Time of the handshake, in milliseconds since the epoch. */
  readonly openedAt: number;
  /** Messages of the client: parsed if they are JSON, otherwise as text. */
  readonly messages: { readonly at: number; readonly message: unknown }[];
  /** Number of binary messages sent. */
  framesSent: number;
  /** Time of the latest binary message; 0 before the first one. */
  lastFrameAt: number;
  /** Number of samples in these messages. */
  samplesSent: number;
  /** Null while the socket is open. */
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
