/** One utterance on a socket. Text may still arrive while it is spoken. Main thread. */
export class SpokenContext {
  readonly id: string;
  /** Number of the context on the socket, from 1. */
  readonly number: number;
  /** Time at which its first message arrived, on the scale of `Clock.elapsed`. */
  readonly beganAt: number;
  readonly #texts: string[] = [];
  readonly #aborted = new AbortController();
  #waitingLength = 0;
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(id: string, number: number, beganAt: number) {
    this.id = id;
    this.number = number;
    this.beganAt = beganAt;
  }

  /** True if no more text follows. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True if {@link take} has a result: a text, or the end. */
  get hasNext(): boolean {
    return this.#ended || this.#texts.length > 0;
  }

  /** Weight of the waiting text, in characters; see {@link weigh}. */
  get waitingLength(): number {
    return this.#waitingLength;
  }

  /** Aborted when the context is aborted. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#waitingLength += weigh(text);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Aborts the context: drops its waiting text, and aborts the speech under way. */
  abort(): void {
    this.#texts.length = this.#waitingLength = 0;
    this.#aborted.abort();
    this.end();
  }

  /** Removes and returns the next text; `null` after the last one. Call it only when {@link hasNext}. */
  take(): string | null {
    const text = this.#texts.shift() ?? null;
    if (text !== null) this.#waitingLength -= weigh(text);
    return text;
  }

  /** Resolves once {@link hasNext}. One caller at a time. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      if (this.hasNext) return resolve();
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }
}

/** Returns the weight of a text while it waits, in characters. Even an empty text takes memory. */
function weigh(text: string): number {
  return text.length + 100;
}
