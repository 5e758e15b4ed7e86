import { align, type Alignment } from './alignment.js';
import { type Arrivals, SAMPLES_PER_MS, totalSamples } from './arrivals.js';
import { leastInterruptionMs } from './bound.js';
import type { ClickMeter, Clicks } from './click.js';
import { type Delay, delayOf } from './delay.js';
import { type Outages, outagesOf } from './outages.js';
import type { Player } from './player.js';
import { type Run, silentRuns, soundingRange } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM, type Recording } from './simulate.js';

/** Window in which stretching is detected, in quanta: 99 ms. */
const STRETCH_WINDOW = 37;

/** Results of one run. Times are in milliseconds, measured from the output unless stated otherwise. */
export interface RunMetrics extends Clicks, Delay, Outages {
  /** Length of the speech. */
  readonly speechMs: number;
  /** From the arrival of the first frame to the first sample of output. */
  readonly startupMs: number;
  readonly gaps: number;
  readonly silentMs: number;
  readonly worstGapMs: number;
  /** Synthetic sound, as counted by the player. */
  readonly concealedMs: number;
  /** The minimum possible interruption, see bound.ts. */
  readonly boundMs: number;
  /** Share of 99 ms windows in which samples were inserted or removed, and those samples relative to the speech. */
  readonly stretchedShare: number;
  readonly insertedShare: number;
  readonly removedShare: number;
  /** Speech missing from the output that was not removed to play faster. */
  readonly droppedMs: number;
  /**
   * Result of the alignment minus the player's own counters: sound inserted minus removed, and silence. 0 if the
   * counters are correct, NaN if the player has none.
   */
  readonly balanceMs: number;
  readonly silenceBalanceMs: number;
  /** Output for which no place in the speech was found. */
  readonly lostMs: number;
}

/**
 * Measures a recording.
 *
 * @param clean - The loop of speech as the resampler outputs it.
 * @param origin - Index in `clean` of the stream's first sample.
 * @param clickMeter - Meter for this loop.
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

/** Returns the inserted sound and the missing speech. */
function alteredBy({ breaks, first, last }: Alignment, total: number): { putInMs: number; takenOutMs: number } {
  // At both ends, up to a millisecond of a ramp may be too soft to be distinguished from silence.
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
