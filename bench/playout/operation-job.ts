import { RATE_UNIT, Slot } from '../../src/ring/index.js';
import { SAMPLES_PER_MS } from './arrivals.js';
import type { Bench } from './bench.js';
import type { ClickBand } from '../../src/testing/click-band.js';
import { ClickMeter } from './click.js';
import { Random } from '../../src/testing/random.js';
import { SILENCE } from './silence.js';
import { OUTPUT_PER_MS, QUANTUM } from './simulate.js';
import { SpeakerPlayer } from './speaker-player.js';

/** Operations on a player. Each is tried at random places of real speech. */
export const OPERATIONS = ['start', 'cancel', 'pause', 'resume', 'rate'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One operation and the number of its trials. */
export interface OperationJob {
  readonly operation: Operation;
  readonly count: number;
}

/** Results of the trials. */
export interface OperationMetrics {
  /**
   * Latency in milliseconds. `start` and `resume`: from the first frame or the request to the first sample of sound.
   * `cancel` and `pause`: from the request to the last sample of sound. Empty for `rate`.
   */
  readonly latenciesMs: readonly number[];
  /** Levels at the edge of sound, above 6 kHz and above 10 kHz, as in click.ts. For `rate`: at the change. */
  readonly clicksDb: readonly number[];
  readonly faintDb: readonly number[];
  /** Levels above 6 kHz in the speech next to the edge, `BESIDE_MS` away, for comparison. */
  readonly beside: readonly number[];
}

/** Speech available to a trial, in milliseconds. */
const SPEECH_MS = 4000;
/** Output of a trial, in milliseconds. */
const TRIAL_MS = 2500;

/** Time after a rate change that is searched for clicks, in milliseconds. */
const CHANGE_MS = 20;
/** Distance of `beside` from an edge, in milliseconds. */
const BESIDE_MS = 20;

const RATES = [0.5, 0.75, 1.25, 1.5, 2];

/**
 * Measures latency and clicks of an operation. In half of the trials, the speech arrives at 0.9 of real time, so that
 * the player stretches it.
 */
export function tryOperation({ operation, count }: OperationJob, bench: Bench): OperationMetrics {
  const latenciesMs: number[] = [];
  const clicksDb: number[] = [];
  const faintDb: number[] = [];
  const beside: number[] = [];
  const output = new Float32Array(TRIAL_MS * OUTPUT_PER_MS);
  const meters = bench.speeches.map(({ clean }) => new ClickMeter(clean));
  for (let trial = 0; trial < count; trial++) {
    const random = new Random(trial + 1);
    const voice = trial % bench.speeches.length;
    const { latencyMs, at } = tryOnce(operation, bench, voice, trial % 2 === 1, random, output);
    if (!Number.isNaN(latencyMs)) latenciesMs.push(latencyMs);
    const begins = operation === 'start' || operation === 'resume';
    const level = (band: ClickBand, place: number): number =>
      operation === 'rate'
        ? band.loudest(output, output.length, place, place + CHANGE_MS * OUTPUT_PER_MS)
        : band.edge(output, output.length, place, begins);
    const { click, faint } = meters[voice]!;
    clicksDb.push(level(click, at));
    faintDb.push(level(faint, at));
    // There is speech after a beginning and before an end.
    beside.push(level(click, at + (begins ? BESIDE_MS : -BESIDE_MS) * OUTPUT_PER_MS));
  }
  return { latenciesMs, clicksDb, faintDb, beside };
}

/** Runs one trial. `at` is the output sample where a click may be: the edge of the sound, or the change of the rate. */
function tryOnce(
  operation: Operation,
  bench: Bench,
  voice: number,
  scarce: boolean,
  random: Random,
  output: Float32Array,
): { latencyMs: number; at: number } {
  const speech = bench.speeches[voice]!;
  const speechSamples = SPEECH_MS * SAMPLES_PER_MS;
  const origin = random.below(speech.samples.length - speechSamples);
  const player = new SpeakerPlayer({ targetMs: 120, adaptive: true }, bench.table, speech);
  // Milliseconds of speech that arrive first, enough to start the player.
  const firstMs = random.uniform(120, 300);
  const firstQuantum = 2 + random.below(50);
  // The request or the first frame comes this part of a quantum before the next one, which notices it.
  const waited = random.unit();
  const quanta = Math.floor(output.length / QUANTUM);
  const actAt = Math.floor((random.uniform(700, 1700) * OUTPUT_PER_MS) / QUANTUM);
  const resumeAt = actAt + 40 + random.below(100);
  let written = 0;
  for (let quantum = 0; quantum < quanta; quantum++) {
    if (quantum >= firstQuantum) {
      const sinceMs = ((quantum - firstQuantum) * QUANTUM) / OUTPUT_PER_MS;
      const dueMs = scarce || operation === 'start' ? firstMs + 0.9 * sinceMs : SPEECH_MS;
      const due = Math.min(speechSamples, Math.floor(dueMs * SAMPLES_PER_MS));
      written += player.write(origin + written, due - written);
    }
    if (operation !== 'start' && quantum === actAt) {
      if (operation === 'cancel') player.cancel();
      else if (operation === 'rate') player.set(Slot.playbackRate, RATES[random.below(RATES.length)]! * RATE_UNIT);
      else player.pause(true);
    }
    if (operation === 'resume' && quantum === resumeAt) player.pause(false);
    const at = quantum * QUANTUM;
    player.render(output.subarray(at, at + QUANTUM), at);
  }
  const act = actAt * QUANTUM;
  const length = quanta * QUANTUM;
  if (operation === 'rate') return { latencyMs: Number.NaN, at: act };
  if (operation === 'cancel' || operation === 'pause') {
    let to = length;
    while (to > act && Math.abs(output[to - 1]!) < SILENCE) to--;
    // A request is noticed at the next quantum: in the worst case a whole quantum later.
    return { latencyMs: (to - act + QUANTUM) / OUTPUT_PER_MS, at: to };
  }
  const began = (operation === 'start' ? firstQuantum : resumeAt) * QUANTUM;
  let from = began;
  while (from < length && Math.abs(output[from]!) < SILENCE) from++;
  return { latencyMs: (from - began + waited * QUANTUM) / OUTPUT_PER_MS, at: from };
}
