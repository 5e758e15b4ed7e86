import { align, type Alignment } from './alignment.js';
import { type Arrivals, SAMPLES_PER_MS, totalSamples } from './arrivals.js';
import { leastInterruptionMs } from './bound.js';
import { loudestHighBand } from './click.js';
import type { Player } from './player.js';
import { type Run, silentRuns, soundingRange } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM, type Recording } from './simulate.js';

/** A pause between interruptions after which the player may well have forgotten the one before, in milliseconds. */
const MEMORY_MS = 10_000;

/** Window over which stretching is noticed, in quanta: 99 ms. */
const STRETCH_WINDOW = 37;

/** What one run was like. Times in milliseconds, all measured from the output unless told otherwise. */
export interface RunMetrics {
  /** Of speech. */
  readonly speechMs: number;
  /** From the first frame in to the first sample out. */
  readonly startupMs: number;
  readonly gaps: number;
  readonly silentMs: number;
  readonly worstGapMs: number;
  /** Of the silence: what lies in the first outage, and what in later ones that came 10 s or more after another. */
  readonly firstSilentMs: number;
  readonly rareSilentMs: number;
  /** Made-up sound, as the player counts it. */
  readonly concealedMs: number;
  /** The least interruption there could be, see bound.ts. */
  readonly boundMs: number;
  /** Share of the time, by 99 ms, in which samples were inserted or removed; and how much they are of the speech. */
  readonly stretchedShare: number;
  readonly alteredShare: number;
  /** Speech that is not in the output, and not taken out to play faster. */
  readonly droppedMs: number;
  /** Output put in by what the alignment finds, less what the player counts: 0 if it counts right. */
  readonly balanceMs: number;
  /** Output for which no place in the speech was found. */
  readonly lostMs: number;
  /** How far what is heard lies behind a listener at the server. */
  readonly delayMeanMs: number;
  readonly delayP95Ms: number;
  /** Mean delay in the last tenth less that in the second tenth. */
  readonly delayDriftMs: number;
  /** Largest difference between the position that the player tells and the one found in the output, over 99 % of quanta. */
  readonly positionErrorMs: number;
  /** Energy above 6 kHz at edges of sound and at what was done to it, in dB against the clean speech's 99 %. */
  readonly edgesDb: readonly number[];
  readonly splicesDb: readonly number[];
}

/**
 * Measures a recording.
 *
 * @param clean - The loop of speech as the resampler makes it.
 * @param origin - Index into `clean` of the stream's first sample.
 * @param cleanEnergy - From `cleanHighBand`.
 */
export function measure(
  recording: Recording,
  arrivals: Arrivals,
  player: Player,
  clean: Float32Array,
  origin: number,
  cleanEnergy: number,
): RunMetrics {
  const { output, length } = recording;
  const range = soundingRange(output, length);
  const silent = silentRuns(output, range);
  const alignment = align(output, range, silent, clean, origin);
  const { counters } = player;
  const total = (totalSamples(arrivals) / SAMPLES_PER_MS) * OUTPUT_PER_MS;
  const startupMs = range.from / OUTPUT_PER_MS;
  const concealedMs = counters ? (counters.concealedSamples - counters.silentConcealedSamples) / SAMPLES_PER_MS : 0;
  const insertedMs = counters ? counters.insertedSamples / SAMPLES_PER_MS : 0;
  const removedMs = counters ? counters.removedSamples / SAMPLES_PER_MS : 0;
  let putIn = 0;
  let takenOut = missing(alignment.first) + missing(total - alignment.last);
  for (const { from, to, speech, silence } of alignment.breaks) {
    const net = to - from - silence - speech;
    putIn += net;
    takenOut += Math.max(0, -net);
  }
  return {
    speechMs: total / OUTPUT_PER_MS,
    startupMs,
    ...silenceOf(silent),
    concealedMs,
    boundMs: leastInterruptionMs(arrivals, startupMs),
    ...stretchOf(recording, range),
    droppedMs: Math.max(0, takenOut / OUTPUT_PER_MS - removedMs),
    balanceMs: counters ? putIn / OUTPUT_PER_MS - (concealedMs + insertedMs - removedMs) : putIn / OUTPUT_PER_MS,
    lostMs: alignment.lost / OUTPUT_PER_MS,
    ...delayOf(recording, range, arrivals, alignment, counters !== null),
    ...clicksOf(output, length, range, silent, alignment, cleanEnergy),
  };
}

/** Samples missing at an end, where up to a millisecond of a ramp may be too soft to be told from silence. */
function missing(samples: number): number {
  return samples > OUTPUT_PER_MS ? samples : 0;
}

function silenceOf(
  silent: readonly Run[],
): Pick<RunMetrics, 'gaps' | 'silentMs' | 'worstGapMs' | 'firstSilentMs' | 'rareSilentMs'> {
  let silentMs = 0;
  let worstGapMs = 0;
  let firstSilentMs = 0;
  let rareSilentMs = 0;
  let lastAt = Number.NaN;
  let kind: 'first' | 'rare' | 'known' = 'first';
  for (const { from, to } of silent) {
    const ms = (to - from) / OUTPUT_PER_MS;
    const at = from / OUTPUT_PER_MS;
    // Gaps within a second of one another are one outage.
    if (!(at - lastAt < 1000) && !Number.isNaN(lastAt)) kind = at - lastAt > MEMORY_MS ? 'rare' : 'known';
    lastAt = to / OUTPUT_PER_MS;
    silentMs += ms;
    worstGapMs = Math.max(worstGapMs, ms);
    if (kind === 'first') firstSilentMs += ms;
    if (kind === 'rare') rareSilentMs += ms;
  }
  return { gaps: silent.length, silentMs, worstGapMs, firstSilentMs, rareSilentMs };
}

function stretchOf(
  { altered, emitted, quanta }: Recording,
  range: Run,
): Pick<RunMetrics, 'stretchedShare' | 'alteredShare'> {
  const first = Math.floor(range.from / QUANTUM);
  const last = Math.min(quanta - 1, Math.floor(range.to / QUANTUM));
  let windows = 0;
  let stretched = 0;
  for (let from = first; from + STRETCH_WINDOW <= last; from += STRETCH_WINDOW) {
    windows++;
    if (altered[from + STRETCH_WINDOW]! > altered[from]!) stretched++;
  }
  const speech = emitted[last]! - emitted[first]!;
  return {
    stretchedShare: windows > 0 ? stretched / windows : 0,
    alteredShare: speech > 0 ? (altered[last]! - altered[first]!) / speech : 0,
  };
}

function delayOf(
  { emitted, quanta }: Recording,
  range: Run,
  { atMs, sentMs, sourcePace }: Arrivals,
  alignment: Alignment,
  counts: boolean,
): Pick<RunMetrics, 'delayMeanMs' | 'delayP95Ms' | 'delayDriftMs' | 'positionErrorMs'> {
  const delays: number[] = [];
  const errors: number[] = [];
  for (let quantum = 0; quantum < quanta; quantum++) {
    const at = (quantum + 1) * QUANTUM;
    if (at <= range.from || at >= range.to) continue;
    const place = alignment.placeOf(at);
    if (Number.isNaN(place)) continue;
    const spokenMs = sentMs - atMs[0]! + (place / OUTPUT_PER_MS) * sourcePace;
    delays.push(at / OUTPUT_PER_MS - spokenMs);
    if (counts) errors.push(Math.abs(place / OUTPUT_PER_MS - emitted[quantum]! / SAMPLES_PER_MS));
  }
  const tenth = Math.floor(delays.length / 10);
  const drift = mean(delays.slice(delays.length - tenth)) - mean(delays.slice(tenth, 2 * tenth));
  return {
    delayMeanMs: mean(delays),
    delayP95Ms: quantile(delays, 0.95),
    delayDriftMs: drift,
    positionErrorMs: quantile(errors, 0.99),
  };
}

function clicksOf(
  output: Float32Array,
  length: number,
  range: Run,
  silent: readonly Run[],
  { breaks }: Alignment,
  cleanEnergy: number,
): Pick<RunMetrics, 'edgesDb' | 'splicesDb'> {
  const against = (from: number, to: number): number =>
    10 * Math.log10(Math.max(1e-12, loudestHighBand(output, length, from, to) / cleanEnergy));
  // The first and the last edge, then both edges of every gap; a fade lies on the sounding side.
  const fade = 5 * OUTPUT_PER_MS;
  const edgesDb = [against(range.from, range.from + fade), against(range.to - fade, range.to)];
  for (const { from, to } of silent) edgesDb.push(against(from - fade, from), against(to, to + fade));
  const splicesDb = breaks
    .filter(({ from, to, silence }) => silence === 0 && from > range.from + fade && to < range.to)
    .map(({ from, to }) => against(from, to));
  return { edgesDb, splicesDb };
}

/** The mean, 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that a share `q` of `values` does not exceed, 0 of nothing. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[Math.min(values.length - 1, Math.floor(q * values.length))]!;
}
