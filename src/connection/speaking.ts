import type { Clock } from './clock.js';
import type { Utterance } from './utterance.js';

/**
 * A `context_done` may overtake the last frames of its context, so that its end is only believed when no frame has come
 * for this long.
 */
const LINGER_MS = 25;

/**
 * The utterances that were sent on the socket and are not settled yet, oldest first. An utterance is settled when the
 * service has said that its contexts are done and no more frames come. Worker thread.
 */
export class SpeakingList {
  readonly #clock: Clock;
  readonly #onSettled: (utterance: Utterance) => void;
  readonly #onIdle: () => void;
  #list: Utterance[] = [];
  #stopLinger: (() => void) | null = null;

  /**
   * @param onSettled - Called with each utterance as it leaves the list that way.
   * @param onIdle - Called when waiting for late frames has settled the last one.
   */
  constructor(clock: Clock, onSettled: (utterance: Utterance) => void, onIdle: () => void) {
    this.#clock = clock;
    this.#onSettled = onSettled;
    this.#onIdle = onIdle;
  }

  /** The one that frames belong to. */
  get oldest(): Utterance | undefined {
    return this.#list[0];
  }

  /** True if the service has yet to finish one of them. */
  get isUnfinished(): boolean {
    return this.#list.some((utterance) => !utterance.done);
  }

  /** True if nobody waits for any of them. */
  get isUnwanted(): boolean {
    return this.#list.every((utterance) => utterance.cancelled);
  }

  find(serial: number): Utterance | undefined {
    return this.#list.find((utterance) => utterance.serial === serial);
  }

  add(utterance: Utterance): void {
    this.#list.push(utterance);
  }

  /** Notes which were cancelled. They keep their place: their frames still come. */
  cancel(serials: ReadonlySet<number>): void {
    for (const utterance of this.#list) utterance.cancelled ||= serials.has(utterance.serial);
  }

  /** A frame of the oldest came. */
  noteFrame(): void {
    if (this.oldest?.done) this.#linger();
  }

  /**
   * The service says that a context is done.
   *
   * Without an id it is the oldest unfinished one. A foreign id finishes nothing, unless the oldest utterance is one that
   * the service speaks unasked: nobody told us its id.
   *
   * @returns Id of the context, or null if the message fits none.
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

  /** Settles what can be after `finish`; waits for late frames of what cannot. */
  advance(): void {
    // With another context behind it, the next frame is rather that one's first than this one's last.
    while (this.#list.length > 1 && this.#list[0]!.done) this.#onSettled(this.#list.shift()!);
    this.noteFrame();
  }

  /** Settles at once what the service has finished. */
  settleDone(): void {
    this.#stop();
    const done = this.#list.filter((utterance) => utterance.done);
    this.#list = this.#list.filter((utterance) => !utterance.done);
    done.forEach(this.#onSettled);
  }

  /** Empties the list without settling anything. */
  takeAll(): Utterance[] {
    this.#stop();
    return this.#list.splice(0);
  }

  #linger(): void {
    this.#stop();
    this.#stopLinger = this.#clock.after(LINGER_MS, () => {
      this.settleDone();
      this.#onIdle();
    });
  }

  #stop(): void {
    this.#stopLinger?.();
    this.#stopLinger = null;
  }
}
