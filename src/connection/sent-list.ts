import type { Clock } from '../base/clock.js';
import type { SentUtterance } from './sent-utterance.js';

/** A `context_done` may overtake the last frames of its context. It counts once no frame has arrived for this long. */
const LATE_FRAME_MS = 25;

/** Returns true if nothing of an utterance is left to be sent or spoken. */
const isOver = ({ done, more }: SentUtterance): boolean => done && !more;

/**
 * The utterances that were sent on the connection and are not settled yet, oldest first. An utterance is settled when
 * the service has reported that its contexts are done and no more frames arrive. Worker thread.
 */
export class SentList {
  readonly #clock: Clock;
  readonly #onSettled: (utterance: SentUtterance) => void;
  readonly #onIdle: () => void;
  #list: SentUtterance[] = [];
  #clearTimer = (): void => {};

  /**
   * @param onSettled - Called with each utterance that leaves the list because it is settled.
   * @param onIdle - Called when the wait for late frames has settled the last one.
   */
  constructor(clock: Clock, onSettled: (utterance: SentUtterance) => void, onIdle: () => void) {
    this.#clock = clock;
    this.#onSettled = onSettled;
    this.#onIdle = onIdle;
  }

  /** The utterance to which frames belong. */
  get oldest(): SentUtterance | undefined {
    return this.#list[0];
  }

  /** True if the service has not finished all that was sent of them. */
  get isUnfinished(): boolean {
    return this.#list.some((utterance) => !utterance.done);
  }

  /** True if all of them are cancelled. */
  get isUnwanted(): boolean {
    return this.#list.every((utterance) => utterance.cancelled);
  }

  /** True if the service has not finished this context, or its text goes on, or late frames of it may arrive. */
  awaits(contextId: string): boolean {
    return this.#list.some(({ contexts, context }) => contexts.includes(contextId) || context === contextId);
  }

  find(serial: number): SentUtterance | undefined {
    return this.#list.find((utterance) => utterance.serial === serial);
  }

  add(utterance: SentUtterance): void {
    this.#list.push(utterance);
  }

  /** Marks utterances as cancelled. They keep their place, because their frames still arrive. */
  cancel(serials: ReadonlySet<number>): void {
    for (const utterance of this.#list) utterance.cancelled ||= serials.has(utterance.serial);
  }

  /** Removes an utterance, of which nothing is expected any more. */
  drop(serial: number): void {
    this.#list = this.#list.filter((utterance) => utterance.serial !== serial);
  }

  /** Notes that a frame of the oldest utterance has arrived. `id` is its context, if the frame names one. */
  noteFrame(id?: string): void {
    const { oldest } = this;
    if (!oldest?.done) return;
    // Some services call a context done after a part of its text, and go on.
    oldest.done = !oldest.more || id !== oldest.context;
    if (oldest.done) this.#awaitLateFrames();
    else oldest.contexts.push(oldest.context);
  }

  /**
   * Handles the service's report that a context is done.
   *
   * Without an id, the report applies to the oldest unfinished utterance. An unknown id finishes nothing, unless the
   * service speaks the oldest utterance by itself, because the id of that one is not known here.
   *
   * @returns Id of the context, or null if the message belongs to none.
   */
  finish(id: string | undefined): string | null {
    const unfinished = this.#list.filter((utterance) => !utterance.done);
    const oldest = unfinished[0];
    const known = id === undefined ? oldest : unfinished.find((utterance) => utterance.contexts.includes(id));
    const utterance = known ?? (oldest?.contexts.length === 0 ? oldest : undefined);
    if (utterance === undefined) return null;
    const contextId = id ?? utterance.contexts[0] ?? utterance.contextId;
    const index = utterance.contexts.indexOf(contextId);
    if (index >= 0) utterance.contexts.splice(index, 1);
    utterance.done = utterance.contexts.length === 0;
    return contextId;
  }

  /** Call after `finish`, or at the end of a text: settles utterances if possible, and waits for late frames of the last one. */
  advance(): void {
    // If another context follows, the next frame is more likely its first one than a late frame of the finished
    // context.
    while (this.#list.length > 1 && isOver(this.#list[0]!)) this.#onSettled(this.#list.shift()!);
    this.noteFrame();
  }

  /** Immediately settles the utterances that the service has finished. */
  settleDone(): void {
    this.#clearTimer();
    const over = this.#list.filter(isOver);
    this.#list = this.#list.filter((utterance) => !isOver(utterance));
    over.forEach(this.#onSettled);
  }

  /** Empties the list without settling anything. */
  takeAll(): SentUtterance[] {
    this.#clearTimer();
    return this.#list.splice(0);
  }

  #awaitLateFrames(): void {
    this.#clearTimer();
    this.#clearTimer = this.#clock.after(LATE_FRAME_MS, () => {
      this.settleDone();
      this.#onIdle();
    });
  }
}
