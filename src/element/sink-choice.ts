import type { SpeakerError } from '../playback/index.js';

/** The audio output device that a speaker plays on, as in HTMLMediaElement. Main thread. */
export class SinkChoice {
  readonly #move: () => Promise<void>;
  /** Device; empty for the default. */
  #id = '';
  /** The change that is under way: a page may choose again before it is done. */
  #change: Promise<void> | null = null;

  /** @param move - Moves the output to the device that is chosen then. */
  constructor(move: () => Promise<void>) {
    this.#move = move;
  }

  get id(): string {
    return this.#id;
  }

  /** @throws {DOMException} NotFoundError or NotAllowedError. The device then stays the same. */
  async choose(id: string): Promise<void> {
    while (this.#change) await this.#change;
    const before = this.#id;
    this.#id = String(id);
    const moved = this.#move();
    this.#change = moved.catch(() => {}).then(() => void (this.#change = null));
    try {
      await moved;
    } catch (error) {
      this.#id = before;
      throw (error as SpeakerError).cause ?? error;
    }
  }
}
