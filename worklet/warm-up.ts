import type { ResamplerTable } from '../src/dsp/index.js';
import { cancelSlot, initRing, MarkKind, RATE_UNIT, ringBytes, RingWriter, Slot } from '../src/ring/index.js';
import { Playout } from './playout.js';

/** Samples of the ring that is played for practice. */
const CAPACITY = 2 ** 13;
/** As in a quantum of 128. */
const QUANTUM = 128;
/** So many utterances of so many quanta are played, most of all for what is done once per utterance. */
const ROUNDS = 48;
const ROUND_QUANTA = 32;
/** Half a second of real quanta is enough for all of it. */
const QUANTA_PER_STEP = 8;
/** What happens at which quantum of a round: there is speech for some 16 quanta, then none, then some more. */
const MORE_AT = 20;
const END_AT = 24;
const CANCEL_AT = 26;

/**
 * Plays some made-up speech where nobody hears it, so that the engine has compiled what runs per quantum before real
 * speech is due: the first quanta of all take a millisecond or more, which is too late for some.
 *
 * A few quanta at a time, through everything that can happen: start, slower, dry, going on, faster, end, cancel. Audio
 * thread.
 */
export class WarmUp {
  readonly #playout: Playout;
  readonly #writer: RingWriter;
  readonly #header: Int32Array;
  readonly #speech: Int16Array;
  readonly #frame: number;
  readonly #block = new Float32Array(QUANTUM);
  #quantum = 0;

  /** @param table - Of the speaker that is to speak; only read. */
  constructor(table: ResamplerTable) {
    const { fromRate, toRate } = table;
    const memory = initRing(new ArrayBuffer(ringBytes(CAPACITY)), CAPACITY, fromRate);
    this.#header = memory.header;
    this.#header[Slot.adaptive] = 1;
    this.#header[Slot.targetDelayMs] = 20;
    this.#writer = new RingWriter(memory);
    this.#frame = Math.ceil((QUANTUM * fromRate) / toRate);
    // A buzz of 125 Hz with pauses: like a voice, it has a pitch period to find.
    this.#speech = Int16Array.from({ length: (MORE_AT - 4) * this.#frame }, (_, i) =>
      i % 900 < 300 ? 0 : 9000 * Math.sin(((i * 125) % fromRate) / fromRate) - 4000,
    );
    this.#playout = new Playout(memory, table, () => {});
  }

  /** Practises for a few quanta; false once it is over, after some 200 times. */
  step(): boolean {
    for (let i = 0; i < QUANTA_PER_STEP; i++) if (!this.#practise()) return false;
    return true;
  }

  #practise(): boolean {
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
