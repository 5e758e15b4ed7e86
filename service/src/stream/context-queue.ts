import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import { SpokenContext } from './spoken-context.js';

/**
 * The unfinished contexts of a socket. They are spoken in the order in which their first messages arrived. Main thread.
 *
 * Text after the `end` of an unfinished context opens another context with the same id behind it. An `end` without text
 * creates a context without sound.
 */
export class ContextQueue {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #contexts: SpokenContext[] = [];
  /** Ids of contexts that failed, until their `end`. Further messages for them are dropped. */
  readonly #failed = new Set<string>();
  #lastNumber = 0;
  #wake: (() => void) | null = null;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The context to speak next. */
  get first(): SpokenContext | undefined {
    return this.#contexts[0];
  }

  /** True if there is no context. */
  get isEmpty(): boolean {
    return this.#contexts.length === 0;
  }

  /** True if text with this id would begin a context. */
  isNew(id: string): boolean {
    return !this.#find(id);
  }

  /** True if a context with this id failed, so that its messages are dropped up to its `end`. */
  hasFailed(id: string): boolean {
    return this.#failed.has(id);
  }

  /** True if more contexts failed without an `end` than the queue may remember. */
  get tooManyFailed(): boolean {
    return this.#failed.size > this.#limits.waitingContexts;
  }

  /** True if another context waits behind the first one. */
  get othersWait(): boolean {
    return this.#contexts.length > 1;
  }

  /**
   * Adds text to a context that has not failed.
   *
   * @returns The reason why it cannot be accepted; `undefined` if it was added. The caller must `refuse` the context
   *   then.
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
   * Ends a context: no more text follows.
   *
   * @returns The reason why there can be no such context; `undefined` if it has ended.
   */
  end(id: string): string | undefined {
    if (this.#failed.delete(id)) return undefined;
    const context = this.#find(id);
    if (!context && this.#contexts.length >= this.#limits.waitingContexts) return this.#tooMany();
    (context ?? this.#open(id)).end();
    return undefined;
  }

  /** Aborts the context that text with this id belongs to, and drops its further messages up to its `end`. */
  refuse(id: string): void {
    this.#drop(id);
    const context = this.#find(id);
    context?.abort();
    if (context && context !== this.first) this.#contexts.splice(this.#contexts.indexOf(context), 1);
  }

  /** Aborts the first context, and drops its further messages. It stays in the queue until it is removed. */
  failFirst(): void {
    const context = this.first;
    if (context && !context.ended) this.#drop(context.id);
    context?.abort();
  }

  /** Removes the first context. */
  remove(): void {
    this.#contexts.shift();
  }

  /** Aborts and removes every context. */
  clear(): void {
    for (const context of this.#contexts.splice(0)) context.abort();
  }

  /** Resolves with the first context once there is one. One caller at a time. */
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
