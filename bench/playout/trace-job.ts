import { type Arrivals, SOURCE_RATE } from './arrivals.js';
import type { Bench } from './bench.js';
import { ClickMeter } from './click.js';
import { measure, type RunMetrics } from './metrics.js';
import type { Player } from './player.js';
import { PlainPlayer } from './plain-player.js';
import { Random } from '../../src/testing/random.js';
import { Recorder, type Recording } from './simulate.js';
import { SpeakerPlayer } from './speaker-player.js';
import type { Speech } from './speech.js';
import { TRACES } from './traces.js';

/** One run: `player` is `plain`, `fixed:<ms>` or `adaptive:<ms>`. The stream ends after `seconds` of speech, if given. */
export interface TraceJob {
  readonly player: string;
  readonly trace: string;
  readonly seed: number;
  readonly seconds?: number;
}

/** State after a run. The next run overwrites the recording. */
export interface Played {
  readonly recording: Recording;
  readonly arrivals: Arrivals;
  readonly player: Player;
  readonly speech: Speech;
  /** Index in the speech's clean loop of the stream's first sample. */
  readonly origin: number;
}

/** Runs jobs one after another, reusing the same memory. */
export class TraceRunner {
  readonly #bench: Bench;
  readonly #recorder = new Recorder();
  readonly #clickMeters = new Map<Speech, ClickMeter>();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Simulates and measures a run. Throws the errors of `play`. */
  run(job: TraceJob): RunMetrics {
    const { recording, arrivals, player, speech, origin } = this.play(job);
    let clickMeter = this.#clickMeters.get(speech);
    if (!clickMeter) this.#clickMeters.set(speech, (clickMeter = new ClickMeter(speech.clean)));
    return measure(recording, arrivals, player, speech.clean, origin, clickMeter);
  }

  /**
   * Simulates a run.
   *
   * @throws {RangeError} If there is no such player or trace.
   */
  play({ player: name, trace: traceName, seed, seconds = Infinity }: TraceJob): Played {
    const trace = TRACES.find((one) => one.name === traceName);
    if (!trace) throw new RangeError(`There is no trace ${traceName}`);
    const { table, speeches } = this.#bench;
    const speech = speeches[seed % speeches.length]!;
    // A separate sequence, so that the speech does not correlate with the trace.
    const from = new Random(seed + 1_000_000).below(speech.samples.length / table.down) * table.down;
    const arrivals = beginning(trace.arrivals(seed), seconds);
    const player = makePlayer(name, this.#bench, speech);
    const recording = this.#recorder.record(player, arrivals, speech.samples.length, from);
    return { recording, arrivals, player, speech, origin: (from / table.down) * table.up };
  }
}

function beginning(arrivals: Arrivals, seconds: number): Arrivals {
  const { atMs, frameSamples } = arrivals;
  return { ...arrivals, atMs: atMs.subarray(0, Math.ceil((seconds * SOURCE_RATE) / frameSamples)) };
}

/** @throws {RangeError} If there is no such player. */
export function makePlayer(name: string, { table }: Bench, speech: Speech): Player {
  if (name === 'plain') return new PlainPlayer(speech);
  const [, kind, target] = /^(fixed|adaptive):(\d+)$/.exec(name) ?? [];
  if (kind === undefined) throw new RangeError(`There is no player ${name}`);
  return new SpeakerPlayer({ targetMs: Number(target), adaptive: kind === 'adaptive' }, table, speech);
}
