import type { ResamplerTable } from '../src/dsp/index.js';
import { cancelSlot, initRing, MarkKind, RATE_UNIT, ringBytes, RingWriter, Slot } from '../src/ring/index.js';
import { Playout } from './playout.js';

/** Size in samples of the ring from which the warm-up plays. */
const CAPACITY = 2 ** 13;
/** Number of output samples per quantum. */
const QUANTUM = 128;
/** Number of utterances, and of quanta of each. There are many, so that their starts and ends are compiled too. */
const ROUNDS = 48;
const ROUND_QUANTA = 32;
/** Number of quanta that are played per step. The warm-up takes half a second of real quanta. */
const QUANTA_PER_STEP = 8;
/** Quanta of a round at which a change takes place. The first speech lasts 16 quanta; then the ring runs empty. */
const MORE_AT = 20;
const END_AT = 24;
const CANCEL_AT = 26;

/**
 * Plays generated speech into a block that is not heard, so that the engine compiles the code of a quantum before real
 * speech is due. Without it, the first quanta take a millisecond or more, and some miss their deadline.
 *
 * Plays a few quanta at a time, through start, slow pace, underrun, resumption, fast pace, end and cancel. Audio
 * thread.
 */
export class WarmUp {
  readonly #playout: Playout;
  readonly #writer: RingWriter;
  readonly #header: Int32Array;
  readonly #speech: Int16Array;
  /** Number of source samples per quantum. */
  readonly #quantumSamples: number;
  readonly #block = new Float32Array(QUANTUM);
  #quantum = 0;

  /** @param table - Table of the speaker that is about to speak. It is not modified. */
  constructor(table: ResamplerTable) {
    const { fromRate, toRate } = table;
    const memory = initRing(new ArrayBuffer(ringBytes(CAPACITY)), CAPACITY, fromRate);
    this.#header = memory.header;
    this.#header[Slot.adaptive] = 1;
    this.#header[Slot.targetDelayMs] = 20;
    this.#writer = new RingWriter(memory);
    this.#quantumSamples = Math.ceil((QUANTUM * fromRate) / toRate);
    // A tone of 125 Hz with pauses. Like a voice, it has a pitch period to find.
    this.#speech = Int16Array.from({ length: (MORE_AT - 4) * this.#quantumSamples }, (_, i) =>
      i % 900 < 300 ? 0 : 9000 * Math.sin((2 * Math.PI * 125 * i) / fromRate),
    );
    this.#playout = new Playout(memory, table, () => {});
  }

  /** Plays a few quanta. Returns false when the warm-up is complete, after about 200 calls. */
  step(): boolean {
    for (let i = 0; i < QUANTA_PER_STEP; i++) if (!this.#playQuantum()) return false;
    return true;
  }

  #playQuantum(): boolean {
    const round = Math.floor(this.#quantum / ROUND_QUANTA) + 1;
    if (round > ROUNDS) return false;
    const quantum = this.#quantum % ROUND_QUANTA;
    if (quantum === 0) {
      this.#header[Slot.adaptive] = round % 2;
      this.#header[Slot.playbackRate] = ((round % 4) + 1) * 0.5 * RATE_UNIT;
      this.#writer.mark(MarkKind.start, round);
      this.#writer.write(this.#speech, 0, this.#speech.length);
    } else if (quantum === MORE_AT) {
      this.#writer.write(this.#speech, 0, this.#speech.length / 2);
    } else if (quantum === END_AT) {
      this.#writer.mark(MarkKind.end, round);
    } else if (quantum === CANCEL_AT) {
      this.#header[cancelSlot(round)] = round;
    }
    this.#playout.render(this.#block, this.#quantum++ * QUANTUM);
    return true;
  }
}
