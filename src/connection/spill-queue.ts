import { MarkKind, type PortRing } from '../ring/index.js';
import type { AudioSink } from './audio-sink.js';

/** Small frames are copied together into blocks of this many samples, so that waiting costs memory by the sample. */
const BLOCK_SAMPLES = 2048;

interface Waiting {
  readonly serial: number;
  /** A mark, or null for the samples in `block[from, to)`. */
  readonly mark: MarkKind.Any | null;
  readonly block: Int16Array;
  from: number;
  to: number;
}

const NO_SAMPLES = new Int16Array(0);

/**
 * Stands in front of a sink and takes what does not fit into it yet: nothing is lost, nothing blocks.
 *
 * It also sets the marks: a start right before the first sample of an utterance, an end when the utterance is over. One
 * utterance follows the other; one without samples leaves no mark. Worker thread.
 */
export class SpillQueue {
  readonly #onDrained: () => void;
  #sink: AudioSink | null = null;
  #waiting: Waiting[] = [];
  #samples = 0;
  /** The utterance whose start is queued or written and whose end is not; 0 if there is none. */
  #current = 0;

  /** @param onDrained - Called after the sink has made room and taken something that had been waiting. */
  constructor(onDrained: () => void) {
    this.#onDrained = onDrained;
  }

  /** Samples that wait. */
  get samples(): number {
    return this.#samples;
  }

  /**
   * Says where samples go; null: nowhere for now. A sink that was there before is closed; an utterance it had begun
   * starts again in the next one.
   *
   * @returns Whether something had been waiting.
   */
  attach(sink: AudioSink | null): boolean {
    this.#sink?.close();
    this.#sink = sink;
    const next = this.#waiting[0];
    const begun = next?.serial ?? this.#current;
    if (begun !== 0 && next?.mark !== MarkKind.start) this.#waiting.unshift(markOf(begun, MarkKind.start));
    this.#drain();
    return next !== undefined;
  }

  /** As `AudioSink.reconnect`. */
  reconnect(descriptor: PortRing<MessagePort>): void {
    this.#sink?.reconnect(descriptor);
  }

  /** Adds samples of an utterance. They may be kept as they are, so they must not change any more. */
  push(serial: number, samples: Int16Array): void {
    if (samples.length === 0) return;
    if (this.#current !== serial) {
      this.#current = serial;
      this.#add(markOf(serial, MarkKind.start));
    }
    const count = samples.length;
    this.#samples += count;
    const last = this.#waiting.at(-1);
    if (last?.serial === serial && last.block.length - last.to >= count) {
      last.block.set(samples, last.to);
      last.to += count;
      return;
    }
    let block = samples;
    // The first one mostly goes on at once, as it is.
    if (last !== undefined && count < BLOCK_SAMPLES) {
      block = new Int16Array(BLOCK_SAMPLES);
      block.set(samples);
    }
    this.#add({ serial, mark: null, block, from: 0, to: count });
  }

  /** Ends an utterance. Does nothing if it has no samples or has been ended. */
  end(serial: number): void {
    if (this.#current !== serial) return;
    this.#current = 0;
    this.#add(markOf(serial, MarkKind.end));
  }

  /** Drops what waits of an utterance, and ends it where its start has gone out already. */
  cancel(serial: number): void {
    const unheard = this.#waiting.some((item) => item.serial === serial && item.mark === MarkKind.start);
    this.#waiting = this.#waiting.filter((item) => item.serial !== serial || (item.mark !== null && !unheard));
    this.#samples = this.#waiting.reduce((sum, item) => sum + item.to - item.from, 0);
    if (!unheard) this.end(serial);
    else if (this.#current === serial) this.#current = 0;
    this.#drain();
  }

  /** Drops everything and closes the sink. */
  close(): void {
    this.#waiting = [];
    this.#samples = 0;
    this.#current = 0;
    this.attach(null);
  }

  #add(item: Waiting): void {
    this.#waiting.push(item);
    if (this.#waiting.length === 1) this.#drain();
  }

  #drain(): void {
    const sink = this.#sink;
    if (sink === null) return;
    let done = 0;
    for (const item of this.#waiting) {
      if (item.mark !== null) {
        if (!sink.mark(item.mark, item.serial)) break;
      } else {
        const taken = sink.write(item.block, item.from, item.to - item.from);
        item.from += taken;
        this.#samples -= taken;
        if (item.from < item.to) break;
      }
      done++;
    }
    this.#waiting.splice(0, done);
    if (this.#waiting.length > 0) this.#await();
  }

  #await(): void {
    this.#sink?.whenRoom(() => {
      this.#drain();
      this.#onDrained();
    });
  }
}

function markOf(serial: number, mark: MarkKind.Any): Waiting {
  return { serial, mark, block: NO_SAMPLES, from: 0, to: 0 };
}
