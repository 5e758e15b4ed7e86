import { cleanEnergies, countClicks } from './analysis/clicks.mjs';
import { lostMs } from './analysis/lost-speech.mjs';
import { convertRate } from './analysis/rate-conversion.mjs';
import { findGaps, soundBetween, soundSpan, type Span } from './analysis/silence.mjs';
import { bestSineFit } from './analysis/sine-fit.mjs';
import type { Plan } from './plan.mjs';
import { RENDER_QUANTUM, type Recording } from './recording.mjs';
import type { RunResult } from './run-player.mjs';
import { SOURCE_RATE, speechSignal } from './speech-signal.mjs';
import { TONES_HZ, toneSignal } from './tone-signal.mjs';
import { ahead, burst, FRAME_SAMPLES, jitter, paced, slow, stalls, type Trace } from './traces.mjs';

/** Figures of one run, by the name of their column. */
export type Figures = Readonly<Record<string, number>>;

/** A property of a player to measure. */
export interface Measure {
  /** Name on the command line. */
  readonly name: string;
  /** How the speech arrives, for the reader; none if the measure is not about gaps. */
  readonly arrivals?: string;
  /** False if one run is enough, because the result does not depend on chance or a run takes too long. */
  readonly repeated: boolean;
  plan(seed: number): Plan;
  figures(result: RunResult, plan: Plan): Figures;
}

/** Time in the speech at which the main thread is blocked, in ms. */
const EVENT_AT_MS = 1200;
const BLOCK_MS = 500;
/** Gaps up to this long after the block are attributed to it: by then all held-back frames have arrived. */
const BLOCK_AFTERMATH_MS = 500;
/** Length of the sound that counts as its end, in ms. */
const END_MS = 40;
/** Samples below this count as silence after a cancel: -60 dBFS. */
const CANCEL_SILENCE = 1e-3;

const speechMeasures = [
  // A check of the harness: every player should play all of it without a fault.
  speech('ahead', ahead, 4, false, 'twice real time'),
  speech('paced', paced, 3.2, true, 'real time'),
  speech('jitter', jitter, 4, true, 'late by 30 ms'),
  speech('stall', stalls, 5, true, 'stalls of 200 ms'),
  speech('slow', slow, 4, true, '0.91 of real time'),
  speech('burst', burst, 40, false, '40 s at 20 x'),
];

/** Measures in the order of the tables. */
export const MEASURES: readonly Measure[] = [
  ...speechMeasures,
  // In the middle of a reply of which much is buffered.
  {
    name: 'cancel',
    repeated: true,
    plan: (seed) => {
      const plan = speechPlan(ahead, 6, seed);
      return { ...plan, cancelAtMs: loudMomentMs(plan.source) };
    },
    figures: ({ recording }, { source }) => ({
      silentAfterMs: silentAfterMs(recording),
      cancelClickDb: endClickDb(recording, source),
    }),
  },
  {
    name: 'block',
    repeated: true,
    plan: (seed) => ({ ...speechPlan(paced, 2.6, seed), blockAtMs: EVENT_AT_MS, blockMs: BLOCK_MS }),
    figures: ({ recording }) => ({ blockedGapMs: blockedGapMs(recording) }),
  },
  // Sines of half of full scale, four times as fast as real time.
  {
    name: 'tones',
    repeated: false,
    plan: () => {
      const source = toneSignal();
      return { source, schedule: ahead(frames(source), 0).map((at) => at / 2), recorded: true };
    },
    figures: ({ recording }) => toneFigures(recording),
  },
  // Of the whole browser, in real time, while nothing is recorded.
  {
    name: 'cpu',
    repeated: true,
    plan: (seed) => ({ ...speechPlan(paced, 5, seed), recorded: false }),
    figures: ({ processorSeconds }, { source }) => ({
      cpuSecondsPerMinute: (processorSeconds * 60 * SOURCE_RATE) / source.length,
    }),
  },
];

function speech(name: string, trace: Trace, seconds: number, repeated: boolean, arrivals: string): Measure {
  return {
    name,
    arrivals,
    repeated,
    plan: (seed) => speechPlan(trace, seconds, seed),
    figures: ({ recording, firstFrameAtMs }, { source }) => speechFigures(recording, firstFrameAtMs, source),
  };
}

function speechPlan(trace: Trace, seconds: number, seed: number): Plan {
  const source = speechSignal(seconds, seed);
  return { source, schedule: trace(frames(source), seed), recorded: true };
}

function frames(source: Int16Array): number {
  return Math.ceil(source.length / FRAME_SAMPLES);
}

/** Returns the middle of the loudest 100 ms between 1 and 2 s, where a cut is most audible. */
function loudMomentMs(source: Int16Array): number {
  const energyAt = (ms: number): number =>
    source
      .subarray(((ms - 50) * SOURCE_RATE) / 1000, ((ms + 50) * SOURCE_RATE) / 1000)
      .reduce((sum, sample) => sum + sample ** 2, 0);
  const moments = Array.from({ length: 41 }, (_, index) => 1000 + 25 * index);
  return moments.reduce((best, ms) => (energyAt(ms) > energyAt(best) ? ms : best));
}

function speechFigures(recording: Recording, firstFrameAtMs: number, source: Int16Array): Figures {
  const { samples, sampleRate } = recording;
  const span = soundSpan(samples);
  if (!span) throw new Error('Nothing was heard.');
  const gaps = findGaps(samples, sampleRate);
  const ms = ({ from, to }: Span): number => ((to - from) * 1000) / sampleRate;
  const gapMs = gaps.reduce((sum, gap) => sum + ms(gap), 0);
  const atSourceRate = convertRate(samples, sampleRate, SOURCE_RATE);
  const sound = soundBetween(samples, gaps).map(({ from, to }) => ({
    from: Math.round((from * SOURCE_RATE) / sampleRate),
    to: Math.round((to * SOURCE_RATE) / sampleRate),
  }));
  const lost = lostMs(atSourceRate, sound, source);
  const clicks = countClicks(atSourceRate, cleanEnergies(source));
  return {
    gaps: gaps.length,
    gapMs,
    takenOutMs: takenOutMs(recording),
    addedMs: ms(span) - gapMs - ((source.length * 1000) / SOURCE_RATE - lost),
    clicks: clicks.count,
    worstClickDb: clicks.worstDb,
    lostMs: lost,
    firstSoundMs: renderedAtMs(recording, span.from) - firstFrameAtMs,
  };
}

/** Returns the speech that the player reports as removed to play faster. Only our player does and reports that. */
function takenOutMs({ stats }: Recording): number {
  return (Number(stats?.['removedSamplesForAcceleration'] ?? 0) * 1000) / SOURCE_RATE;
}

function silentAfterMs(recording: Recording): number {
  const span = soundSpan(recording.samples, CANCEL_SILENCE);
  if (!span || recording.cancelledAtMs === null) throw new Error('Nothing was heard, or nothing cancelled.');
  return Math.max(0, renderedAtMs(recording, span.to - 1) - recording.cancelledAtMs);
}

/** Returns the loudness of the click at the end of the sound, as `worstClickDb` of {@link countClicks}. */
function endClickDb({ samples, sampleRate }: Recording, source: Int16Array): number {
  const span = soundSpan(samples);
  if (!span) throw new Error('Nothing was heard.');
  const reach = (sampleRate * END_MS) / 1000;
  const ramp = reach / 4;
  const end = new Float32Array(2 * reach);
  end.set(samples.slice(Math.max(0, span.to - reach), span.to + reach));
  // Fade in, because cutting out this part would add a click.
  for (let index = 0; index < ramp; index++) end[index]! *= 0.5 - 0.5 * Math.cos((Math.PI * index) / ramp);
  return countClicks(convertRate(end, sampleRate, SOURCE_RATE), cleanEnergies(source)).worstDb;
}

function blockedGapMs(recording: Recording): number {
  const { blockedMs, samples, sampleRate } = recording;
  if (!blockedMs) throw new Error('The main thread was not blocked.');
  return findGaps(samples, sampleRate)
    .filter(({ from }) => {
      const at = renderedAtMs(recording, from);
      return at >= blockedMs[0] && at < blockedMs[1] + BLOCK_AFTERMATH_MS;
    })
    .reduce((sum, { from, to }) => sum + ((to - from) * 1000) / sampleRate, 0);
}

function toneFigures({ samples, deviceSamples, sampleRate, deviceRate }: Recording): Figures {
  const heard = deviceSamples ?? samples;
  const figures: Record<string, number> = { contextRate: sampleRate, deviceRate };
  for (const hz of TONES_HZ) {
    const { amplitude, sndrDb } = bestSineFit(heard, hz, deviceRate);
    figures[`sndr${hz}`] = sndrDb;
    figures[`gainDb${hz}`] = 20 * Math.log10(amplitude / 0.5);
  }
  return figures;
}

/** Returns the time at which a sample was rendered, in milliseconds of the system clock. */
function renderedAtMs({ renderedAtMs: stamps }: Recording, sample: number): number {
  return stamps[Math.floor(sample / RENDER_QUANTUM)]!;
}
