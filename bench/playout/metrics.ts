import { align, type Alignment } from './alignment.js';
import { type Arrivals, SAMPLES_PER_MS, totalSamples } from './arrivals.js';
import { leastInterruptionMs } from './bound.js';
import type { ClickMeter, Clicks } from './click.js';
import { type Delay, delayOf } from './delay.js';
import { type Outages, outagesOf } from './outages.js';
import type { Player } from './player.js';
import { type Run, silentRuns, soundingRange } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM, type Recording } from './simulate.js';

/** Window over which stretching is noticed, in quanta: 99 ms. */
const STRETCH_WINDOW = 37;

/** What one run was like. Times in milliseconds, all measured from the output unless told otherwise. */
export interface RunMetrics extends Clicks, Delay, Outages {
  /** Of speech. */
  readonly speechMs: number;
  /** From the first frame in to the first sample out. */
  readonly startupMs: number;
  readonly gaps: number;
  readonly silentMs: number;
  readonly worstGapMs: number;
  /** Made-up sound, as the player counts it. */
  readonly concealedMs: number;
  /** The least interruption there could be, see bound.ts. */
  readonly boundMs: number;
  /** Share of the time, by 99 ms, in which samples were inserted or removed; and how many those are of the speech. */
  readonly stretchedShare: number;
  readonly insertedShare: number;
  readonly removedShare: number;
  /** Speech that is not in the output, and not taken out to play faster. */
  readonly droppedMs: number;
  /**
   * What the alignment finds less what the player counts: sound put in and taken out, and silence. Zeros if it counts
   * right, NaN if it does not count.
   */
  readonly balanceMs: number;
  readonly silenceBalanceMs: number;
  /** Output for which no place in the speech was found. */
  readonly lostMs: number;
}

/**
 * Measures a recording.
 *
 * @param clean - The loop of speech as the resampler makes it.
 * @param origin - Index into `clean` of the stream's first sample.
 * @param clickMeter - For this loop.
 */
export function measure(
  recording: Recording,
  arrivals: Arrivals,
  player: Player,
  clean: Float32Array,
  origin: number,
  clickMeter: ClickMeter,
): RunMetrics {
  const { output, length } = recording;
  const { counters } = player;
  const range = soundingRange(output, length);
  const silent = silentRuns(output, range);
  const alignment = align(output, range, silent, clean, origin);
  const total = (totalSamples(arrivals) / SAMPLES_PER_MS) * OUTPUT_PER_MS;
  const startupMs = range.from / OUTPUT_PER_MS;
  const { putInMs, takenOutMs } = alteredBy(alignment, total);
  const silentMs = silent.reduce((sum, { from, to }) => sum + to - from, 0) / OUTPUT_PER_MS;
  const told = (samples: number | undefined): number => (samples ?? Number.NaN) / SAMPLES_PER_MS;
  const toldSilentMs = told(counters?.silentConcealedSamples);
  const concealedMs = told(counters?.concealedSamples) - toldSilentMs;
  const removedMs = told(counters?.removedSamples);
  return {
    speechMs: total / OUTPUT_PER_MS,
    startupMs,
    gaps: silent.length,
    silentMs,
    worstGapMs: silent.reduce((most, { from, to }) => Math.max(most, to - from), 0) / OUTPUT_PER_MS,
    concealedMs: counters ? concealedMs : 0,
    boundMs: leastInterruptionMs(arrivals, startupMs),
    ...stretchOf(recording, range),
    droppedMs: Math.max(0, takenOutMs - (counters ? removedMs : 0)),
    balanceMs: putInMs - takenOutMs - (concealedMs + told(counters?.insertedSamples) - removedMs),
    silenceBalanceMs: silentMs - toldSilentMs,
    lostMs: alignment.lost / OUTPUT_PER_MS,
    ...outagesOf(counters?.underruns ?? null, silent),
    ...delayOf(recording, range, arrivals, alignment, counters !== null),
    ...clickMeter.measure(output, length, range, silent, alignment, origin),
  };
}

/** Sound that is not the speech's own, and speech that is missing. */
function alteredBy({ breaks, first, last }: Alignment, total: number): { putInMs: number; takenOutMs: number } {
  // At both ends up to a millisecond of a ramp may be too soft to be told from silence.
  const missing = (samples: number): number => (samples > OUTPUT_PER_MS ? samples : 0);
  let putIn = 0;
  let takenOut = missing(first) + missing(total - last);
  for (const { from, to, speech, silence } of breaks) {
    const net = to - from - silence - speech;
    if (net > 0) putIn += net;
    else takenOut -= net;
  }
  return { putInMs: putIn / OUTPUT_PER_MS, takenOutMs: takenOut / OUTPUT_PER_MS };
}

function stretchOf(
  { inserted, removed, emitted, quanta }: Recording,
  range: Run,
): Pick<RunMetrics, 'stretchedShare' | 'insertedShare' | 'removedShare'> {
  const first = Math.floor(range.from / QUANTUM);
  const last = Math.min(quanta - 1, Math.floor(range.to / QUANTUM));
  let windows = 0;
  let stretched = 0;
  for (let from = first; from + STRETCH_WINDOW <= last; from += STRETCH_WINDOW) {
    const to = from + STRETCH_WINDOW;
    windows++;
    if (inserted[to]! > inserted[from]! || removed[to]! > removed[from]!) stretched++;
  }
  const speech = Math.max(1, emitted[last]!);
  return {
    stretchedShare: stretched / Math.max(1, windows),
    insertedShare: inserted[last]! / speech,
    removedShare: removed[last]! / speech,
  };
}
