import { designResampler, type ResamplerTable } from '../../../src/dsp/index.js';
import {
  cancelSlot,
  initRing,
  MarkKind,
  type PlayoutEvent,
  RATE_UNIT,
  ringBytes,
  type RingMemory,
  RingWriter,
  Slot,
  Stat,
} from '../../../src/ring/index.js';
import { OutputActivity } from '../../../worklet/lead-in.js';
import { Playout } from '../../../worklet/playout.js';

/** An event that a playout reported, with the output sample at which it happens. */
export interface Reported {
  event: 'playing' | 'start' | 'end' | 'stalled' | 'underrun' | 'drained';
  sample: number;
  serial?: number;
  playedSamples?: number;
  durationMs?: number;
}

const defaults = {
  sourceRate: 24000,
  contextRate: 48000,
  targetMs: 120,
  leadInMs: 0,
  adaptive: false,
  rate: 1,
  capacity: 2 ** 18,
  quantum: 128,
  position: 0,
};

/** A playout with a producer in the same thread and a clock that is the number of samples rendered. */
export class Rig {
  readonly memory: RingMemory;
  readonly writer: RingWriter;
  readonly reported: Reported[] = [];
  /** Activity of the context's output. Rigs that share it are speakers of the same context. */
  readonly activity: OutputActivity;
  /** Milliseconds for which the context was suspended. Its clock does not include them. */
  suspendedMs = 0;
  /** Everything rendered so far. */
  output = new Float32Array(0);
  #buffer = new Float32Array(0);
  #playout: Playout;
  /** First frame of the quantum that is being rendered, or of the next one. */
  #frame = 0;
  readonly #contextRate: number;
  readonly #sourceRate: number;
  readonly #quantum: number;

  /** @param options.position - Initial positions in the ring and the marks, int32. */
  constructor(options: Partial<typeof defaults> = {}, activity?: OutputActivity) {
    const now = (): number => this.suspendedMs + (this.#frame / this.#contextRate) * 1000;
    this.activity = activity ?? new OutputActivity(now);
    const { sourceRate, contextRate, targetMs, leadInMs, adaptive, rate, capacity, quantum, position } = {
      ...defaults,
      ...options,
    };
    this.memory = initRing(new ArrayBuffer(ringBytes(capacity)), capacity, sourceRate);
    for (const slot of [Slot.read, Slot.write, Slot.heard, Slot.markRead, Slot.markWrite])
      this.memory.header[slot] = position;
    this.memory.header[Slot.targetDelayMs] = targetMs;
    this.memory.header[Slot.leadInMs] = leadInMs;
    this.memory.header[Slot.adaptive] = Number(adaptive);
    this.setRate(rate);
    this.writer = new RingWriter(this.memory);
    this.#contextRate = contextRate;
    this.#quantum = quantum;
    this.#sourceRate = sourceRate;
    this.#playout = this.#makePlayout();
  }

  #makePlayout(): Playout {
    const table = designResampler(this.#sourceRate, this.#contextRate);
    const listener = ({ at, ...event }: PlayoutEvent): void => {
      this.reported.push({ ...event, sample: Math.round(at * this.#contextRate) });
    };
    return new Playout(this.memory, table, listener, this.activity);
  }

  /**
   * Lets another playout continue with the ring, as in another context.
   *
   * @param politely - True if the old playout falls silent first; false if it stops in the middle of a sound.
   */
  handOver(politely: boolean): void {
    if (politely) while (!this.#playout.leave()) this.render(1);
    this.#playout = this.#makePlayout();
  }

  /** Sets the level of the speech. */
  setLevel(level: number): void {
    this.#playout.level.approach(level, 1);
  }

  /** Writes a whole utterance. */
  utterance(serial: number, samples: Int16Array): void {
    this.begin(serial, samples);
    this.end(serial);
  }

  begin(serial: number, samples: Int16Array): void {
    this.writer.mark(MarkKind.start, serial);
    this.write(samples);
  }

  write(samples: Int16Array): void {
    const written = this.writer.write(samples, 0, samples.length);
    if (written !== samples.length) throw new Error(`only ${written} of ${samples.length} samples fit the rig's ring`);
  }

  end(serial: number): void {
    this.writer.mark(MarkKind.end, serial);
  }

  cancel(serial: number): void {
    this.memory.header[cancelSlot(serial)] = serial;
  }

  /** Requests seek number `seek`. */
  seek(seek: number): void {
    this.memory.header[Slot.seek] = seek;
  }

  /** Writes the mark of seek number `seek`. Samples written after it are those to which the seek leads. */
  markSeek(seek: number): void {
    this.writer.mark(MarkKind.seek, seek);
  }

  /** Requests a pause with the next odd number, or playback with the next even number. */
  request(paused: boolean): void {
    const now = this.memory.header[Slot.request]!;
    this.memory.header[Slot.request] = now + ((now & 1) === Number(paused) ? 2 : 1);
  }

  /** @param rate - 0.5 to 2. */
  setRate(rate: number): void {
    this.memory.header[Slot.playbackRate] = Math.round(rate * RATE_UNIT);
  }

  /** @param table - Table that converts to the context's rate. */
  setTable(table: ResamplerTable): void {
    this.#playout.setTable(table);
  }

  /** Renders at least `ms` of output, in whole quanta. Returns the new samples. */
  render(ms: number): Float32Array {
    const quanta = Math.ceil((ms * this.#contextRate) / 1000 / this.#quantum);
    const from = this.output.length;
    const length = from + quanta * this.#quantum;
    if (length > this.#buffer.length) {
      const larger = new Float32Array(2 * length).fill(Number.NaN);
      larger.set(this.output);
      this.#buffer = larger;
    }
    for (let at = from; at < length; at += this.#quantum) {
      this.#frame = at;
      this.#playout.render(this.#buffer.subarray(at, at + this.#quantum), at);
    }
    this.#frame = length;
    this.output = this.#buffer.subarray(0, length);
    return this.output.subarray(from);
  }

  events(event: Reported['event']): Reported[] {
    return this.reported.filter((reported) => reported.event === event);
  }

  stat(name: keyof typeof Stat): number {
    return this.memory.stats[Stat[name]]!;
  }
}

/** Returns a sine of amplitude 0.5, as int16 samples. */
export function tone(samples: number, rate = 24000, hz = 440): Int16Array {
  return new Int16Array(samples).map((_, i) => Math.round(16384 * Math.sin((2 * Math.PI * hz * i) / rate)));
}

/** Returns the index of the first sample that is not exactly 0, and the index after the last one. */
export function soundingRange(samples: Float32Array): [number, number] {
  let from = 0;
  while (from < samples.length && samples[from] === 0) from++;
  let to = samples.length;
  while (to > from && samples[to - 1] === 0) to--;
  return [from, to];
}

/** Returns the largest magnitude; NaN if a sample is NaN. */
export function peak(samples: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < samples.length; i++) largest = Math.max(largest, Math.abs(samples[i]!));
  return largest;
}

/** Returns the largest difference between adjacent samples. */
export function largestStep(samples: Float32Array): number {
  let largest = 0;
  for (let i = 1; i < samples.length; i++) largest = Math.max(largest, Math.abs(samples[i]! - samples[i - 1]!));
  return largest;
}
