import type { Underrun } from './player.js';
import { OUTPUT_PER_MS } from './simulate.js';
import type { Run } from './silence.js';

/** Interruptions that begin within this of the last one's end are one outage, in milliseconds. */
const SAME_OUTAGE_MS = 1000;

/** Time without an outage after which a player may well have forgotten the last one, in milliseconds. */
const MEMORY_MS = 10_000;

/** Where interruptions lie, in milliseconds. */
export interface Outages {
  readonly interruptedMs: number;
  /** In the first outage, before which nothing was known; and in later ones that come long after the one before. */
  readonly firstMs: number;
  readonly rareMs: number;
}

/**
 * Says how much of all interruption could hardly be foreseen.
 *
 * @param underruns - What the player says, silence and concealment; null if it says nothing: then silence it is.
 * @param silent - The runs of silence in its output.
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
