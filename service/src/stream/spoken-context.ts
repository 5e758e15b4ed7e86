/** One utterance on a socket: text comes in while it is spoken. Main thread. */
export class SpokenContext {
  readonly id: string;
  /** Running number on the socket, from 1. */
  readonly number: number;
  /** When its first message came, as `Clock.elapsed` has it. */
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

  /** Whether no more text follows. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether text, or the news that none follows, is there to be taken. */
  get hasNext(): boolean {
    return this.#ended || this.#texts.length > 0;
  }

  /** What the text that waits counts for, in characters. */
  get waitingLength(): number {
    return this.#waitingLength;
  }

  /** Aborted when the context is given up. */
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

  /** Gives the context up: it has no more text, and what is being spoken is aborted. */
  abort(): void {
    this.#texts.length = this.#waitingLength = 0;
    this.#aborted.abort();
    this.end();
  }

  /** The next text; `null` after the last one. Only when {@link hasNext}. */
  take(): string | null {
    const text = this.#texts.shift() ?? null;
    if (text !== null) this.#waitingLength -= weigh(text);
    return text;
  }

  /** Resolves when {@link hasNext}. One caller at a time. */
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

/** What a text counts for while it waits: an empty one takes memory, too. */
function weigh(text: string): number {
  return text.length + 100;
}
