import { MarkKind, type PlayoutEvent, type PlayoutState, type RingMemory, Slot, Stat } from '../src/ring/index.js';
import type { Run } from './run.js';

/** Receives the events of a playout on the audio thread: a few per utterance, none per quantum. */
export type PlayoutListener = (event: PlayoutEvent) => void;

/**
 * Publishes the progress of a playout: events through a listener, the position and the statistics in the ring's header.
 *
 * An `offset` is the index of an output sample in the current quantum. It determines the time of an event. Real-time
 * safe after construction. Audio thread.
 */
export class PlayoutReporter {
  /** Utterance that is playing; 0 between utterances. */
  serial: number;
  readonly #header: Int32Array;
  readonly #stats: Float64Array;
  readonly #sampleRate: number;
  readonly #run: Run;
  readonly #listener: PlayoutListener;
  /** Frame of the context at which the quantum begins. */
  #frame = 0;
  /** Number of source samples that earlier runs have emitted. */
  #emittedBefore: number;

  constructor(memory: RingMemory, run: Run, listener: PlayoutListener) {
    this.#header = memory.header;
    this.#stats = memory.stats;
    this.#sampleRate = memory.sampleRate;
    this.#run = run;
    this.#listener = listener;
    this.serial = run.reader.serial;
    this.#emittedBefore = memory.stats[Stat.emittedSamples]!;
  }

  /** @param frame - Frame of the context at which the quantum begins. */
  beginQuantum(frame: number): void {
    this.#frame = frame;
  }

  /** Time at which the quantum begins, in samples of the ring's rate. */
  get now(): number {
    return Math.floor((this.#frame * this.#sampleRate) / this.#run.table.toRate);
  }

  /** Returns the context time in seconds. */
  #timeAt(offset: number): number {
    return (this.#frame + offset) / this.#run.table.toRate;
  }

  // --- events

  report(event: 'playing' | 'stalled' | 'drained', offset: number): void {
    this.#listener({ event, at: this.#timeAt(offset) });
  }

  /** Reports an underrun that lasted for `samples` samples of the resampler's input. */
  reportUnderrun(samples: number, offset: number): void {
    const durationMs = (samples / this.#run.table.fromRate) * 1000;
    this.#listener({ event: 'underrun', durationMs, at: this.#timeAt(offset) });
  }

  /** Reports the marks that the last `count` output samples have passed. */
  passMarks(count: number): void {
    const { marks } = this.#run.reader;
    while (marks.length > 0) {
      const offset = this.#run.outputsOf(marks.made) - this.#run.rendered + count;
      if (marks.kind === MarkKind.start ? offset >= count : offset > count) return;
      this.passMark(Math.max(0, offset));
    }
  }

  /** Reports the oldest mark. */
  passMark(offset: number): void {
    const { marks } = this.#run.reader;
    const { serial } = marks;
    const isStart = marks.kind === MarkKind.start;
    this.serial = isStart ? serial : 0;
    const emitted = this.#emittedBefore + this.#run.feed.read + marks.distance;
    const playedSamples = emitted - this.#stats[Stat.seekOrigin]!;
    this.#listener({ event: isStart ? 'start' : 'end', serial, playedSamples, at: this.#timeAt(offset) });
    marks.removeOldest();
  }

  // --- position and statistics

  /** Notes that the run is over after `emitted` source samples. Call it before the next run is opened. */
  endRun(emitted: number): void {
    this.#emittedBefore += emitted;
  }

  /** Notes that a seek has taken effect: the position counts from here. Call it between runs. */
  beginSeek(): void {
    this.#stats[Stat.seekOrigin] = this.#emittedBefore;
  }

  /** Notes that `count` source samples are skipped, because their utterance was cancelled or they lie before a seek. */
  discard(count: number): void {
    this.#stats[Stat.discardedSamples]! += count;
  }

  /**
   * Writes the position and the statistics after a quantum of `quantum` samples.
   *
   * @param isSounding - True in a run.
   */
  publish(quantum: number, state: PlayoutState.Any, isSounding: boolean): void {
    const header = this.#header;
    const stats = this.#stats;
    const run = this.#run;
    const { fromRate, toRate } = run.table;
    const moves = isSounding && !run.feed.isDry;
    const emitted = this.#emittedBefore + run.emitted;
    const fresh = emitted - stats[Stat.emittedSamples]!;
    stats[Stat.jitterBufferDelay]! += (run.held * quantum) / toRate;
    stats[Stat.jitterBufferTargetDelay]! += (fresh * run.jitter.target) / this.#sampleRate;
    stats[Stat.emittedSamples] = emitted;
    stats[Stat.emittedAt] = this.#timeAt(quantum);
    stats[Stat.pace] = moves ? (run.feed.stretch.pace * fromRate) / this.#sampleRate : 0;
    Atomics.store(header, Slot.state, state);
    Atomics.store(header, Slot.heard, (run.base + run.emitted) | 0);
    Atomics.store(header, Slot.heardSerial, isSounding ? this.serial : run.reader.serial);
  }
}
