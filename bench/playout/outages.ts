import type { Underrun } from './player.js';
import { OUTPUT_PER_MS } from './simulate.js';
import type { Run } from './silence.js';

/** An interruption that begins within this time after the end of the previous one belongs to the same outage, in ms. */
const SAME_OUTAGE_MS = 1000;

/** Time without an outage after which a player may have forgotten the previous one, in milliseconds. */
const MEMORY_MS = 10_000;

/** Duration of interruptions, in milliseconds: of all, and of those that a player can hardly foresee. */
export interface Outages {
  /** All interruptions. */
  readonly interruptedMs: number;
  /** Interruptions in the first outage, which no player can foresee. */
  readonly firstMs: number;
  /** Interruptions in outages that begin more than `MEMORY_MS` after the previous one. */
  readonly rareMs: number;
}

/**
 * Adds up the interruptions by kind of outage.
 *
 * @param underruns - Underruns reported by the player, whether silent or concealed; null if it reports none. Runs of
 *   silence are used instead then.
 * @param silent - Runs of silence in the player's output.
 */
export function outagesOf(underruns: readonly Underrun[] | null, silent: readonly Run[]): Outages {
  const interruptions =
    underruns ?? silent.map(({ from, to }) => ({ fromMs: from / OUTPUT_PER_MS, toMs: to / OUTPUT_PER_MS }));
  let interruptedMs = 0;
  let firstMs = 0;
  let rareMs = 0;
  let lastMs = Number.NaN;
  let kind: 'first' | 'rare' | 'known' = 'first';
  for (const { fromMs, toMs } of interruptions) {
    const since = fromMs - lastMs;
    if (since >= SAME_OUTAGE_MS) kind = since > MEMORY_MS ? 'rare' : 'known';
    lastMs = toMs;
    interruptedMs += toMs - fromMs;
    if (kind === 'first') firstMs += toMs - fromMs;
    if (kind === 'rare') rareMs += toMs - fromMs;
  }
  return { interruptedMs, firstMs, rareMs };
}
