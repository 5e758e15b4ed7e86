import type { ResamplerTable } from '../../src/dsp/index.js';
import {
  cancelSlot,
  initRing,
  MarkKind,
  type PlayoutEvent,
  ringBytes,
  ringCapacity,
  type RingMemory,
  RingWriter,
  Slot,
  Stat,
} from '../../src/ring/index.js';
import { Playout } from '../../worklet/playout.js';
import type { Counters, Player, Underrun } from './player.js';
import type { Speech } from './speech.js';

/** Settings of the speaker's jitter buffer. */
export interface SpeakerSetting {
  readonly targetMs: number;
  readonly adaptive: boolean;
  /** Start of the ring's positions, int32; 0 by default. */
  readonly position?: number;
}

const SERIAL = 1;

/** The real ring, its writer, and the playout of the audio thread, all in one thread. */
export class SpeakerPlayer implements Player, Counters {
  readonly underruns: Underrun[] = [];
  done = false;
  readonly #memory: RingMemory;
  readonly #writer: RingWriter;
  readonly #playout: Playout;
  readonly #speech: Speech;
  readonly #outputRate: number;
  #begun = false;
  #frame = 0;

  constructor(setting: SpeakerSetting, table: ResamplerTable, speech: Speech) {
    const capacity = ringCapacity(table.fromRate);
    this.#memory = initRing(new ArrayBuffer(ringBytes(capacity)), capacity, table.fromRate);
    const { header } = this.#memory;
    for (const slot of [Slot.read, Slot.write, Slot.heard]) header[slot] = setting.position ?? 0;
    header[Slot.targetDelayMs] = setting.targetMs;
    header[Slot.adaptive] = setting.adaptive ? 1 : 0;
    this.#writer = new RingWriter(this.#memory);
    this.#playout = new Playout(this.#memory, table, (event) => this.#hear(event));
    this.#speech = speech;
    this.#outputRate = table.toRate;
  }

  write(from: number, count: number): number {
    if (!this.#begun) this.#begun = this.#writer.mark(MarkKind.start, SERIAL);
    return this.#writer.write(this.#speech.samples, from, count);
  }

  end(): void {
    this.#writer.mark(MarkKind.end, SERIAL);
  }

  /** Cancels the utterance as the main thread does. */
  cancel(): void {
    this.#memory.header[cancelSlot(SERIAL)] = SERIAL;
  }

  /** Requests a pause, or the end of it. */
  pause(paused: boolean): void {
    const now = this.#memory.header[Slot.request]!;
    this.#memory.header[Slot.request] = now + ((now & 1) === Number(paused) ? 2 : 1);
  }

  /** Sets a header slot that the main thread writes. */
  set(slot: number, value: number): void {
    this.#memory.header[slot] = value;
  }

  render(block: Float32Array, frame: number): void {
    this.#frame = frame;
    this.#playout.render(block, frame);
  }

  get counters(): Counters {
    return this;
  }

  get emittedSamples(): number {
    return this.#memory.stats[Stat.emittedSamples]!;
  }

  get concealedSamples(): number {
    return this.#memory.stats[Stat.concealedSamples]!;
  }

  get silentConcealedSamples(): number {
    return this.#memory.stats[Stat.silentConcealedSamples]!;
  }

  get insertedSamples(): number {
    return this.#memory.stats[Stat.insertedSamples]!;
  }

  get removedSamples(): number {
    return this.#memory.stats[Stat.removedSamples]!;
  }

  /** @throws {Error} If the playout's clock differs from the simulator's, which would invalidate all measurements. */
  #hear(event: PlayoutEvent): void {
    const { at } = event;
    if (event.event === 'underrun') this.underruns.push({ fromMs: at * 1000 - event.durationMs, toMs: at * 1000 });
    if (event.event !== 'drained') return;
    this.done = true;
    const seconds = this.#frame / this.#outputRate;
    if (Math.abs(at - seconds) > 0.1) throw new Error(`It is ${seconds} s, but the playout says ${at} s`);
  }
}
