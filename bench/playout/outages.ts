import type { Underrun } from './player.js';
import { OUTPUT_PER_MS } from './simulate.js';
import type { Run } from './silence.js';

/** Interruptions that begin within this time after the previous one's end belong to one outage, in milliseconds. */
const SAME_OUTAGE_MS = 1000;

/** Time without an outage after which a player may have forgotten the previous one, in milliseconds. */
const MEMORY_MS = 10_000;

/** Distribution of interruptions over outages, in milliseconds. */
export interface Outages {
  readonly interruptedMs: number;
  /** In the first outage, which no player can expect; and in later ones that come long after the previous one. */
  readonly firstMs: number;
  readonly rareMs: number;
}

/**
 * Returns how much of all interruption was hardly foreseeable.
 *
 * @param underruns - Underruns reported by the player, with silence or concealment; null if it reports none: then
 *   silence counts.
 * @param silent - Runs of silence in its output.
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
