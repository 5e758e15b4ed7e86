import { designResampler, type ResamplerTable } from '../../src/dsp/index.js';
import {
  initRing,
  MarkKind,
  RATE_UNIT,
  ringBytes,
  ringCapacity,
  type RingMemory,
  RingWriter,
  Slot,
  Stat,
} from '../../src/ring/index.js';
import { Playout } from '../../worklet/playout.js';
import { speech } from './speech.js';

export const SOURCE_RATE = 24000;
export const CONTEXT_RATE = 48000;
export const QUANTUM = 128;
/** Microseconds in which a quantum must be rendered, together with everything else in the context. */
export const QUANTUM_US = (QUANTUM / CONTEXT_RATE) * 1e6;
const TARGET_MS = 120;

/** Conditions under which a playout renders. */
export interface Mode {
  /** Null if there is nothing to play. */
  readonly playbackRate: number | null;
  readonly adaptive: boolean;
  /** Buffered speech that the producer maintains, in milliseconds. */
  readonly levelMs: number;
  /** The producer pauses for the last `silent` of every `cycle` quanta; it never pauses if these are omitted. */
  readonly cycle?: number;
  readonly silent?: number;
}

/**
 * The modes by name. With a target of 120 ms, "normal" buffers enough that nothing is stretched, "pauses" so little
 * that pauses are stretched, "slow" so little that all speech is stretched; "dry" runs dry in each cycle.
 */
export const modes: Record<string, Mode> = {
  idle: { playbackRate: null, adaptive: true, levelMs: 0 },
  normal: { playbackRate: 1, adaptive: true, levelMs: 265 },
  fixed: { playbackRate: 1, adaptive: false, levelMs: 150 },
  pauses: { playbackRate: 1, adaptive: true, levelMs: 150 },
  slow: { playbackRate: 1, adaptive: true, levelMs: 70 },
  'rate 0.5': { playbackRate: 0.5, adaptive: true, levelMs: 600 },
  'rate 1.5': { playbackRate: 1.5, adaptive: true, levelMs: 600 },
  'rate 2': { playbackRate: 2, adaptive: true, levelMs: 600 },
  dry: { playbackRate: 1, adaptive: true, levelMs: 70, cycle: 120, silent: 90 },
};

/** One table for all stages, as the speakers of a page share it. */
export const table: ResamplerTable = designResampler(SOURCE_RATE, CONTEXT_RATE);
const samples = speech(SOURCE_RATE);

/** A playout, and a producer that maintains the level of its ring, in one thread. Renders in virtual time. */
export class Stage {
  readonly memory: RingMemory;
  readonly #writer: RingWriter;
  readonly #playout: Playout;
  readonly #mode: Mode;
  readonly #block = new Float32Array(QUANTUM);
  readonly #level: number;
  #sent = 0;
  #quantum = 0;
  /** Latest value of the statistic, which is a sum of the buffered time, as in WebRTC. */
  #heldSum = 0;

  constructor(mode: Mode) {
    const capacity = ringCapacity(SOURCE_RATE);
    this.memory = initRing(new SharedArrayBuffer(ringBytes(capacity)), capacity, SOURCE_RATE);
    const { header } = this.memory;
    header[Slot.targetDelayMs] = TARGET_MS;
    header[Slot.adaptive] = Number(mode.adaptive);
    header[Slot.playbackRate] = (mode.playbackRate ?? 1) * RATE_UNIT;
    this.#mode = mode;
    this.#level = (mode.levelMs / 1000) * SOURCE_RATE;
    this.#writer = new RingWriter(this.memory);
    this.#playout = new Playout(this.memory, table, () => {});
    if (mode.playbackRate === null) return;
    this.#writer.mark(MarkKind.start, 1);
    this.#write(Math.max(TARGET_MS / 1000, mode.levelMs / 1000) * SOURCE_RATE);
  }

  /** Runs the producer for one quantum. */
  feed(): void {
    const { playbackRate, cycle = 1, silent = 0 } = this.#mode;
    const sum = this.memory.stats[Stat.jitterBufferDelay]!;
    const held = ((sum - this.#heldSum) * CONTEXT_RATE) / QUANTUM;
    this.#heldSum = sum;
    if (playbackRate === null || this.#quantum === 0 || this.#quantum % cycle >= cycle - silent) return;
    this.#write(Math.round(this.#level - held));
  }

  #write(count: number): void {
    for (let rest = count; rest > 0;) {
      const from = this.#sent % samples.length;
      const written = this.#writer.write(samples, from, Math.min(rest, samples.length - from));
      if (written === 0) throw new Error('The ring is full');
      this.#sent += written;
      rest -= written;
    }
  }

  /** Runs the playout for one quantum. */
  render(): void {
    this.#playout.render(this.#block, this.#quantum++ * QUANTUM);
  }

  /** Concealed samples, except silent ones. */
  get concealed(): number {
    const { stats } = this.memory;
    return stats[Stat.concealedSamples]! - stats[Stat.silentConcealedSamples]!;
  }

  /** Samples that the stretch has inserted or removed. */
  get stretched(): number {
    const { stats } = this.memory;
    return stats[Stat.insertedSamples]! + stats[Stat.removedSamples]!;
  }
}
