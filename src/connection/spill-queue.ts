import { MarkKind, type PortRing } from '../ring/index.js';
import type { RingFeed } from './ring-feed.js';

/**
 * Pieces below this, 20 ms at the usual 24 kHz, are copied together into blocks while they wait: they would take as much
 * memory for themselves as for their samples. Longer ones wait as they are.
 */
const SMALL_SAMPLES = 480;
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
 * Stands in front of a feed and keeps what does not fit into it yet, so that nothing is lost and nothing blocks.
 *
 * It also sets the marks: a start before the first sample of an utterance, an end when the utterance is over. Utterances
 * follow one another; one without samples has no marks. Worker thread.
 */
export class SpillQueue {
  readonly #onDrained: () => void;
  #feed: RingFeed | null = null;
  #waiting: Waiting[] = [];
  #samples = 0;
  /** The utterance whose start is queued or written and whose end is not; 0 if there is none. */
  #current = 0;

  /** @param onDrained - Called after the feed has taken something that waited. */
  constructor(onDrained: () => void) {
    this.#onDrained = onDrained;
  }

  /** Number of samples that wait. */
  get samples(): number {
    return this.#samples;
  }

  /**
   * Replaces the feed, and closes the one before. An utterance that has begun there begins again in the new one.
   *
   * @param feed - Null makes everything wait.
   * @returns Whether something was waiting.
   */
  attach(feed: RingFeed | null): boolean {
    this.#feed?.close();
    this.#feed = feed;
    const next = this.#waiting[0];
    const begun = next?.serial ?? this.#current;
    if (begun !== 0 && next?.mark !== MarkKind.start) this.#waiting.unshift(markOf(begun, MarkKind.start));
    this.#drain();
    return next !== undefined;
  }

  /** As `RingFeed.reconnect`. */
  reconnect(descriptor: PortRing<MessagePort>): void {
    this.#feed?.reconnect(descriptor);
  }

  /**
   * Adds samples of an utterance.
   *
   * @param samples - May be kept, here or in the feed. Do not modify them afterwards.
   */
  push(serial: number, samples: Int16Array): void {
    if (samples.length === 0) return;
    if (this.#current !== serial) {
      this.#current = serial;
      this.#add(markOf(serial, MarkKind.start));
    }
    const count = samples.length;
    this.#samples += count;
    const last = this.#waiting.at(-1);
    let block = samples;
    // What finds nothing waiting is mostly written at once.
    if (last !== undefined && count < SMALL_SAMPLES) {
      if (last.serial === serial && last.block.length - last.to >= count) {
        last.block.set(samples, last.to);
        last.to += count;
        return;
      }
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

  /** Drops what waits of an utterance, and ends it if its start has been written. */
  cancel(serial: number): void {
    const isUnwritten = this.#waiting.some((item) => item.serial === serial && item.mark === MarkKind.start);
    this.#waiting = this.#waiting.filter((item) => item.serial !== serial || (item.mark !== null && !isUnwritten));
    this.#samples = this.#waiting.reduce((sum, item) => sum + item.to - item.from, 0);
    if (!isUnwritten) this.end(serial);
    else if (this.#current === serial) this.#current = 0;
    this.#drain();
  }

  /** Drops everything and closes the feed. */
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
    const feed = this.#feed;
    if (feed === null) return;
    let done = 0;
    for (const item of this.#waiting) {
      if (item.mark !== null) {
        if (!feed.mark(item.mark, item.serial)) break;
      } else {
        const taken = feed.write(item.block, item.from, item.to - item.from);
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
    this.#feed?.whenRoom(() => {
      this.#drain();
      this.#onDrained();
    });
  }
}

function markOf(serial: number, mark: MarkKind.Any): Waiting {
  return { serial, mark, block: NO_SAMPLES, from: 0, to: 0 };
}
