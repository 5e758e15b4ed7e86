import type { Schedule } from './traces.mjs';

/** How the audio of a frame is written on the socket. */
export type FrameFormat =
  /** Mono 16-bit little-endian PCM, nothing else. */
  | 's16le'
  /** Mono 32-bit little-endian floats. */
  | 'f32le'
  /** JSON as Hume's service sends it: a WAV file of 16-bit PCM in base64. */
  | 'evi'
  /** `svctts.v1`, what our service speaks: 12 bytes of header before the PCM; JSON for all else. */
  | 'svctts';

/** What happens in one run of one player. */
export interface Plan {
  /** What is sent. */
  readonly source: Int16Array;
  readonly schedule: Schedule;
  /** Has the page cancel so many ms after the first frame is due; the player gets nothing from then on. */
  readonly cancelAtMs?: number;
  /** Has the page's main thread do nothing but loop: from when, and for how long. */
  readonly blockAtMs?: number;
  readonly blockMs?: number;
  /** False leaves the player alone, to see what it costs: nothing is recorded. */
  readonly recorded: boolean;
}

/** Time between the player's request and the first frame: a service has to make it first. In milliseconds. */
export const LEAD_MS = 500;

/** What the page has to know of a plan. Times are in ms after its request. */
export interface PagePlan {
  /** When the last frame is sent. */
  readonly sentMs: number;
  readonly speechMs: number;
  readonly cancelAtMs: number | null;
  readonly blockAtMs: number | null;
  readonly blockMs: number;
  readonly recorded: boolean;
}

/** The page's part of a plan. */
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
