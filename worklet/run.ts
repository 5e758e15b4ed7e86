import { createResampler, type Resampler, type ResamplerTable } from '../src/dsp/index.js';
import type { RingMemory } from '../src/ring/index.js';
import type { ConcealmentListener } from './concealer.js';
import { Fade } from './fade.js';
import { JitterBuffer } from './jitter-buffer.js';
import { SpeechFeed } from './speech-feed.js';
import { UtteranceReader } from './utterance-reader.js';

/** Duration of the ramps at starts, ends, pauses and cancels: no click, and shorter than the 5 ms a cancel may take. */
const FADE_SECONDS = 0.004;

/** Largest render quantum, in samples, that is rendered in one piece. A larger one is rendered in parts. */
export const MAX_QUANTUM = 2048;

/**
 * One run of speech on its way from the ring to the output: feed, resampler, fade. One object serves all runs of a
 * speaker, one after the other, so that a run allocates nothing.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Run {
  readonly reader: UtteranceReader;
  readonly jitter: JitterBuffer;
  readonly feed: SpeechFeed;
  /** Number of output samples of the run that were rendered. */
  rendered = 0;
  /** Number of source samples of the run that were emitted, that is, that the rendered output includes. */
  emitted = 0;
  /** True once all of the run has been rendered. */
  isOver = false;
  readonly #sampleRate: number;
  readonly #fade: Fade;
  #table: ResamplerTable;
  #resampler: Resampler;
  /** Table that replaces the current one when the next run is opened. */
  #nextTable: ResamplerTable | null = null;

  constructor(memory: RingMemory, table: ResamplerTable, listener: ConcealmentListener) {
    const { header, sampleRate } = memory;
    this.#sampleRate = sampleRate;
    this.#fade = new Fade(Math.max(1, Math.round(FADE_SECONDS * table.toRate)));
    this.#table = table;
    this.#resampler = makeResampler(table, sampleRate);
    this.reader = new UtteranceReader(memory);
    this.jitter = new JitterBuffer(header, sampleRate, this.reader.ring.position);
    this.feed = new SpeechFeed(memory, this.reader, this.jitter, this.#resampler, listener);
  }

  /** Table of the resampler in use. A run keeps its table. */
  get table(): ResamplerTable {
    return this.#table;
  }

  /** Uses another resampler from the next run on. Its output rate must be the same. */
  setTable(table: ResamplerTable): void {
    this.#nextTable = table;
  }

  /** True if a table was set that is not in use yet. */
  get hasNextTable(): boolean {
    return this.#nextTable !== null;
  }

  /** True if nothing of the run is audible, because it begins or has faded out. */
  get isFaded(): boolean {
    return this.#fade.phase === 0;
  }

  /** Number of source samples that must be available before the first output sample can be rendered. */
  get least(): number {
    return this.feed.least + this.#resampler.latency;
  }

  /** Ring position of the first sample of the run. */
  get base(): number {
    return (this.reader.ring.position - this.feed.read) | 0;
  }

  /** Ring position before which all samples are spent: emitted, and out of reach of any splice. */
  get spentPosition(): number {
    return (this.base + Math.min(this.feed.spent, this.emitted)) | 0;
  }

  /** Number of samples that have arrived and have not been emitted, of this run and after it. */
  get held(): number {
    return this.reader.ring.available + this.feed.read - this.emitted;
  }

  /** Returns the number of output samples that the first `made` input samples of the resampler become. */
  outputsOf(made: number): number {
    return Math.ceil((made * this.#table.up) / this.#table.down);
  }

  /** Returns the output sample in the current quantum at which input sample `made` of the resampler plays. */
  offsetOf(made: number): number {
    return Math.max(0, this.outputsOf(made) - this.rendered);
  }

  /** Records what has arrived. Call it once per quantum. */
  observe(now: number): void {
    const { ring } = this.reader;
    ring.refresh();
    this.jitter.observe(now, (ring.position + ring.available) | 0, this.reader.isOpen);
  }

  /** Begins a run at the reader's position. Allocates if another table was set. */
  open(): void {
    if (this.#nextTable !== null) {
      this.#table = this.#nextTable;
      this.#resampler = makeResampler(this.#table, this.#sampleRate);
      this.#nextTable = null;
    }
    this.#resampler.reset();
    this.feed.open(this.#resampler);
    this.#fade.reset();
    this.reader.marks.clear();
    this.rendered = 0;
    this.emitted = 0;
  }

  /**
   * Renders into `block` from its first sample on.
   *
   * @param now - Time in samples of the ring's rate.
   * @param isFalling - True to fade out; otherwise the run fades in, or stays at full level.
   * @returns Number of samples rendered. It is less than the block's length at the end of a run or of a fade-out.
   */
  render(block: Float32Array, now: number, isFalling: boolean): number {
    const { feed, reader } = this;
    const isComplete = reader.serial === 0 || reader.ring.marks > 0;
    this.jitter.steer(feed.stretch, now, this.held, isComplete);
    const { up, down } = this.#table;
    const wanted = isFalling ? Math.min(block.length, this.#fade.phase) : block.length;
    feed.feed(this.#resampler.inputFor(wanted));
    const remaining = this.outputsOf(feed.made + feed.remaining) - this.rendered;
    const count = Math.min(wanted, remaining);
    this.#resampler.pull(block, 0, count);
    this.#fade.apply(block, count, isFalling, remaining);
    this.rendered += count;
    this.emitted = feed.speechAt(Math.min(feed.made, Math.floor((this.rendered * down) / up)));
    this.isOver = count === remaining;
    return count;
  }
}

/** Makes a resampler with room for a quantum, and for the cross-fades, which are pushed in one piece. */
function makeResampler(table: ResamplerTable, sampleRate: number): Resampler {
  const quantum = Math.ceil((MAX_QUANTUM * table.fromRate) / table.toRate);
  return createResampler(table, quantum + table.taps + Math.ceil(0.01 * sampleRate));
}
