import type { ResamplerTable } from '../../src/dsp/index.js';
import { SOURCE_RATE } from './arrivals.js';
import { cleanHighBand } from './click.js';
import { measure, type RunMetrics } from './metrics.js';
import type { Player } from './player.js';
import { PlainPlayer } from './plain-player.js';
import { Random } from './random.js';
import { Recorder, type Recording } from './simulate.js';
import { SpeakerPlayer } from './speaker-player.js';
import type { Speech } from './speech.js';
import { TRACES } from './traces.js';

/** One run: `player` is `plain`, `fixed:<ms>` or `adaptive:<ms>`. */
export interface Job {
  readonly player: string;
  readonly trace: string;
  readonly seed: number;
}

/** What all runs share; can be posted to another thread. */
export interface Bench {
  readonly table: ResamplerTable;
  readonly speeches: readonly Speech[];
}

/** Runs jobs one after another in the same memory. */
export class JobRunner {
  readonly #bench: Bench;
  readonly #recorder = new Recorder();
  readonly #cleanEnergies = new Map<Speech, number>();
  /** The last recording; the next run writes over it. */
  recording: Recording = this.#recorder;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /**
   * Simulates and measures.
   *
   * @throws {RangeError} If there is no such player or trace.
   */
  run({ player: name, trace: traceName, seed }: Job): RunMetrics {
    const trace = TRACES.find((one) => one.name === traceName);
    if (!trace) throw new RangeError(`There is no trace ${traceName}`);
    const { table, speeches } = this.#bench;
    const speech = speeches[seed % speeches.length]!;
    // A sequence of its own, so that the speech does not go with the trace.
    const from = new Random(seed + 1_000_000).below(speech.samples.length / table.down) * table.down;
    const arrivals = trace.arrivals(seed);
    const player = makePlayer(name, table, speech);
    this.recording = this.#recorder.record(player, arrivals, speech.samples.length, from);
    const origin = (from / table.down) * table.up;
    return measure(this.recording, arrivals, player, speech.clean, origin, this.#cleanEnergy(speech));
  }

  #cleanEnergy(speech: Speech): number {
    let energy = this.#cleanEnergies.get(speech);
    if (energy === undefined) this.#cleanEnergies.set(speech, (energy = cleanHighBand(speech.clean)));
    return energy;
  }
}

/** @throws {RangeError} If there is no player of that name. */
export function makePlayer(name: string, table: ResamplerTable, speech: Speech): Player {
  if (name === 'plain') return new PlainPlayer(speech);
  const [, kind, target] = /^(fixed|adaptive):(\d+)$/.exec(name) ?? [];
  if (kind === undefined || table.fromRate !== SOURCE_RATE) throw new RangeError(`There is no player ${name}`);
  return new SpeakerPlayer({ targetMs: Number(target), adaptive: kind === 'adaptive' }, table, speech);
}
