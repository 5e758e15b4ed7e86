import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { joinSamples } from './join-samples.js';
import type { RateAnswer, RateBatch, RatePart } from './rate-worker.js';
import { SpeechError } from './speech-error.js';

/** Number of streams per thread above which another thread is started. */
const STREAMS_PER_THREAD = 64;

/** A stream of samples that a thread resamples. Main thread. */
export interface RateStream {
  /**
   * Converts the next samples, which are copied.
   *
   * @returns The output that is available. Rejects with a {@link SpeechError} if the thread has ended.
   */
  convert(samples: Int16Array): Promise<Int16Array>;
  /** Ends the stream and returns the rest of its output; empty if it has already ended. */
  end(): Promise<Int16Array>;
}

/** Options of {@link RateThreads}. */
export interface RateThreadsOptions {
  /** Maximum number of threads, from 1; by default one less than the processors, because the sockets need one too. */
  readonly threads?: number;
  /** Number of streams per thread above which another thread is started; 64 by default. */
  readonly streamsPerThread?: number;
  /** Program of the threads; by default `rate-worker.js` beside this file. */
  readonly program?: URL;
}

/**
 * Threads that resample, to keep this work off the event loop. Another thread is started once all have
 * `streamsPerThread` streams. Main thread.
 */
export class RateThreads {
  readonly #threads: RateThread[] = [];
  readonly #options: Required<RateThreadsOptions>;
  #lastStream = 0;
  #isClosed = false;

  constructor(options: RateThreadsOptions = {}) {
    this.#options = {
      threads: Math.max(1, availableParallelism() - 1),
      streamsPerThread: STREAMS_PER_THREAD,
      program: new URL('./rate-worker.js', import.meta.url),
      ...options,
    };
  }

  /**
   * Begins a stream, which the caller must end.
   *
   * @param fromRate - Rate of the input, in Hz, an integer from 4000 to 384000.
   * @param toRate - Rate of the output, likewise.
   */
  begin(fromRate: number, toRate: number): RateStream {
    const thread = this.#leastBusy();
    const stream = ++this.#lastStream;
    thread.streams++;
    let rates: RatePart['rates'] | undefined = [fromRate, toRate];
    let hasEnded = false;
    const convert = (samples: Int16Array, isLast: boolean): Promise<Int16Array> => {
      const part = { stream, length: samples.length, isLast, ...(rates ? { rates } : {}) };
      rates = undefined;
      return thread.convert(part, samples);
    };
    return {
      convert: (samples) => convert(samples, false),
      end: async () => {
        if (hasEnded) return new Int16Array();
        hasEnded = true;
        thread.streams--;
        return convert(new Int16Array(), true);
      },
    };
  }

  /** Ends the threads; pending conversions fail. May be called more than once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  #leastBusy(): RateThread {
    const { program, streamsPerThread, threads } = this.#options;
    const [least] = this.#threads.toSorted((a, b) => a.streams - b.streams);
    if (least && (least.streams < streamsPerThread || this.#threads.length === threads)) return least;
    const thread = new RateThread(program, () => {
      const at = this.#threads.indexOf(thread);
      if (at >= 0) this.#threads.splice(at, 1);
    });
    if (this.#isClosed) void thread.close();
    else this.#threads.push(thread);
    return thread;
  }
}

/** A part that has not been sent or answered. */
interface Waiting {
  readonly part: RatePart;
  readonly samples: Int16Array;
  readonly resolve: (converted: Int16Array) => void;
  readonly reject: (problem: SpeechError) => void;
}

/**
 * A thread that gets one batch at a time. Parts that arrive meanwhile form the next batch, so under load there are
 * fewer messages per part.
 */
class RateThread {
  streams = 0;
  readonly #worker: Worker;
  #waiting: Waiting[] = [];
  /** Parts of the batch that the thread is converting; null if there is none. */
  #sent: Waiting[] | null = null;
  #sendsSoon = false;
  #hasEnded = false;

  /** @param onEnded - Called when the thread has ended. */
  constructor(program: URL, onEnded: () => void) {
    // Some arguments of the process, such as --input-type, would make the worker fail.
    this.#worker = new Worker(program, { execArgv: [] });
    this.#worker.on('message', (answer: RateAnswer) => this.#receive(answer));
    this.#worker.on('error', () => {}); // an exit follows
    this.#worker.on('exit', () => {
      this.#fail();
      onEnded();
    });
  }

  convert(part: RatePart, samples: Int16Array): Promise<Int16Array> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(failure());
      this.#waiting.push({ part, samples, resolve, reject });
      if (this.#sent || this.#sendsSoon) return;
      this.#sendsSoon = true;
      // Wait until every stream that is due in this turn of the event loop has added its part.
      setImmediate(() => {
        this.#sendsSoon = false;
        this.#send();
      });
    });
  }

  async close(): Promise<void> {
    this.#fail();
    await this.#worker.terminate();
  }

  #send(): void {
    if (this.#hasEnded || this.#waiting.length === 0) return;
    const samples = joinSamples(this.#waiting.map((waiting) => waiting.samples));
    const batch: RateBatch = { parts: this.#waiting.map(({ part }) => part), samples };
    this.#sent = this.#waiting;
    this.#waiting = [];
    this.#worker.postMessage(batch, [samples.buffer]);
  }

  #receive({ lengths, samples }: RateAnswer): void {
    const sent = this.#sent!;
    this.#sent = null;
    this.#send();
    let at = 0;
    sent.forEach(({ resolve }, index) => {
      const length = lengths[index]!;
      resolve(samples.subarray(at, at + length));
      at += length;
    });
  }

  #fail(): void {
    this.#hasEnded = true;
    for (const { reject } of [...(this.#sent ?? []), ...this.#waiting]) reject(failure());
    this.#sent = null;
    this.#waiting = [];
  }
}

function failure(): SpeechError {
  return new SpeechError('engine-failed', 'The speech could not be resampled.');
}
