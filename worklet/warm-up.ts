import type { ResamplerTable } from '../src/dsp/index.js';
import { cancelSlot, initRing, MarkKind, RATE_UNIT, ringBytes, RingWriter, Slot } from '../src/ring/index.js';
import { Playout } from './playout.js';

/** Samples of the ring that is played for practice, more than half a second at any rate up to 24 kHz. */
const CAPACITY = 2 ** 14;
/** As in a quantum of 128. */
const QUANTUM = 128;
/** What happens at which quantum of the practice. */
const SLOW_FROM = 0;
const DRY_FROM = 48;
const FAST_FROM = 72;
const CANCEL_AT = 104;
/** Quanta that the practice takes. */
const QUANTA = 112;

/**
 * Plays some made-up speech where nobody hears it, so that the engine has compiled what runs per quantum before real
 * speech is due: the first quanta of all take a millisecond or more, which is too late for some.
 *
 * One quantum at a time, through everything that can happen: start, slower, dry, going on, faster, cancel. Audio thread.
 */
export class WarmUp {
  readonly #playout: Playout;
  readonly #writer: RingWriter;
  readonly #header: Int32Array;
  readonly #speech: Int16Array;
  readonly #frame: number;
  readonly #block = new Float32Array(QUANTUM);
  #quantum = 0;
  #sent = 0;

  /** @param table - Of the speaker that is to speak; only read. */
  constructor(table: ResamplerTable) {
    const { fromRate, toRate } = table;
    const memory = initRing(new ArrayBuffer(ringBytes(CAPACITY)), CAPACITY, fromRate);
    this.#header = memory.header;
    this.#header[Slot.adaptive] = 1;
    this.#header[Slot.targetDelayMs] = 20;
    this.#writer = new RingWriter(memory);
    this.#frame = Math.ceil((QUANTUM * fromRate) / toRate);
    // A buzz of 125 Hz: like a voice, it has a pitch period to find.
    this.#speech = Int16Array.from(
      { length: CAPACITY },
      (_, i) => 9000 * Math.sin(((i * 125) % fromRate) / fromRate) - 4000,
    );
    const nobody = (): void => {};
    this.#playout = new Playout(memory, table, {
      playing: nobody,
      mark: nobody,
      stalled: nobody,
      underrun: nobody,
      drained: nobody,
    });
    this.#writer.mark(MarkKind.start, 1);
    this.#write(8);
  }

  /** Practises for one quantum; false once it is over. */
  step(): boolean {
    const quantum = this.#quantum++;
    if (quantum >= QUANTA) return false;
    if (quantum >= SLOW_FROM && quantum < DRY_FROM) this.#write(1);
    if (quantum === FAST_FROM) {
      this.#header[Slot.playbackRate] = 2 * RATE_UNIT;
      this.#header[Slot.adaptive] = 0;
      this.#write(80);
    }
    if (quantum === CANCEL_AT) this.#header[cancelSlot(1)] = 1;
    this.#playout.render(this.#block, quantum * QUANTUM);
    return true;
  }

  /** Sends what so many quanta take. */
  #write(quanta: number): void {
    const count = Math.min(quanta * this.#frame, this.#speech.length - this.#sent);
    this.#sent += this.#writer.write(this.#speech, this.#sent, count);
  }
}
