import type { Schedule } from './traces.mjs';

/** Encoding of a frame's audio on the socket. */
export type FrameFormat =
  /** Mono 16-bit little-endian PCM, nothing else. */
  | 's16le'
  /** Mono 32-bit little-endian floats. */
  | 'f32le'
  /** JSON like that of Hume's service: a WAV file of 16-bit PCM in base64. */
  | 'evi'
  /** JSON like that of OpenAI's realtime service: 16-bit PCM in base64. */
  | 'realtime'
  /** `svctts.v1`, the protocol of our service: a 12-byte header before the PCM; JSON for all other messages. */
  | 'svctts';

/** Script of one run of one player. */
export interface Plan {
  /** Samples that are sent, mono. */
  readonly source: Int16Array;
  readonly schedule: Schedule;
  /** Time after the first frame is due at which the page cancels, in ms. The player gets no data from then on. */
  readonly cancelAtMs?: number;
  /** Time at which the page's main thread is blocked by a loop, and for how long, in ms. */
  readonly blockAtMs?: number;
  readonly blockMs?: number;
  /** False to measure the CPU cost of the player alone: nothing is recorded. */
  readonly recorded: boolean;
}

/** Time between the player's request and the first frame, in milliseconds: a real service needs time for synthesis. */
export const LEAD_MS = 500;

/** The page's part of a plan. Times are in ms after its request. */
export interface PagePlan {
  /** Time at which the last frame is sent. */
  readonly sentMs: number;
  readonly speechMs: number;
  readonly cancelAtMs: number | null;
  readonly blockAtMs: number | null;
  readonly blockMs: number;
  readonly recorded: boolean;
}

/** Returns the page's part of a plan. */
export function pagePlan({ source, schedule, cancelAtMs, blockAtMs, blockMs, recorded }: Plan, rate: number): PagePlan {
  return {
    sentMs: LEAD_MS + (schedule.at(-1) ?? 0),
    speechMs: (source.length * 1000) / rate,
    cancelAtMs: cancelAtMs === undefined ? null : LEAD_MS + cancelAtMs,
    blockAtMs: blockAtMs === undefined ? null : LEAD_MS + blockAtMs,
    blockMs: blockMs ?? 0,
    recorded,
  };
}
