import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import { SpokenContext } from './spoken-context.js';

/**
 * The contexts of a socket that are not done, in the order in which their first message came, which is the order they
 * are spoken in. Main thread.
 *
 * Text after the `end` of a context that is not done yet opens another context of the same id behind it. An `end` without
 * text makes a context without sound.
 */
export class ContextQueue {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #contexts: SpokenContext[] = [];
  /** Ids of contexts that failed, until their `end`: what is still on its way for them is dropped. */
  readonly #failed = new Set<string>();
  #lastNumber = 0;
  #wake: (() => void) | null = null;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The context whose turn it is to be spoken. */
  get first(): SpokenContext | undefined {
    return this.#contexts[0];
  }

  /** Whether there is no context. */
  get isEmpty(): boolean {
    return this.#contexts.length === 0;
  }

  /** Whether text of this id would begin a context. */
  isNew(id: string): boolean {
    return !this.#find(id);
  }

  /** Whether a context of this id failed, so that what still comes for it is dropped, up to its `end`. */
  hasFailed(id: string): boolean {
    return this.#failed.has(id);
  }

  /** Whether more contexts failed without an `end` than can be kept in mind. */
  get tooManyFailed(): boolean {
    return this.#failed.size > this.#limits.waitingContexts;
  }

  /** Whether another context waits behind the first one. */
  get othersWait(): boolean {
    return this.#contexts.length > 1;
  }

  /**
   * Adds text to a context that has not failed.
   *
   * @returns Why it cannot be taken, or nothing; the caller is to `refuse` the context then.
   */
  add(id: string, text: string): string | undefined {
    const { textLength, waitingContexts, waitingTextLength } = this.#limits;
    if (text.length > textLength) return `The text is longer than ${textLength} characters: send it in shorter pieces.`;
    const waiting = this.#contexts.reduce((length, context) => length + context.waitingLength, 0);
    if (waiting + text.length > waitingTextLength) {
      return `More than ${waitingTextLength} characters wait to be spoken: send the rest later.`;
    }
    const context = this.#find(id);
    if (!context && this.#contexts.length >= waitingContexts) return this.#tooMany();
    (context ?? this.#open(id)).add(text);
    return undefined;
  }

  /**
   * Notes that no more text follows on a context.
   *
   * @returns Why there can be no such context, or nothing.
   */
  end(id: string): string | undefined {
    if (this.#failed.delete(id)) return undefined;
    const context = this.#find(id);
    if (!context && this.#contexts.length >= this.#limits.waitingContexts) return this.#tooMany();
    (context ?? this.#open(id)).end();
    return undefined;
  }

  /** Gives up the context that text of this id belongs to, and drops what still comes for it, up to its `end`. */
  refuse(id: string): void {
    this.#drop(id);
    const context = this.#find(id);
    context?.abort();
    if (context && context !== this.first) this.#contexts.splice(this.#contexts.indexOf(context), 1);
  }

  /** Gives up the first context, and drops what still comes for it. It stays until it is removed. */
  failFirst(): void {
    const context = this.first;
    if (context && !context.ended) this.#drop(context.id);
    context?.abort();
  }

  /** Takes the first context out. */
  remove(): void {
    this.#contexts.shift();
  }

  /** Gives up every context. */
  clear(): void {
    for (const context of this.#contexts.splice(0)) context.abort();
  }

  /** Resolves with the first context, when there is one. One caller at a time. */
  arrival(): Promise<SpokenContext> {
    return new Promise((resolve) => {
      if (this.first) return resolve(this.first);
      this.#wake = () => {
        this.#wake = null;
        resolve(this.first!);
      };
    });
  }

  #find(id: string): SpokenContext | undefined {
    return this.#contexts.find((context) => context.id === id && !context.ended);
  }

  #open(id: string): SpokenContext {
    const context = new SpokenContext(id, ++this.#lastNumber, this.#clock.elapsed());
    this.#contexts.push(context);
    this.#wake?.();
    return context;
  }

  #drop(id: string): void {
    this.#failed.add(id);
  }

  #tooMany(): string {
    return `More than ${this.#limits.waitingContexts} contexts wait to be spoken: send the rest later.`;
  }
}
