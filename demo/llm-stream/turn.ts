import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import { Exchange } from './exchange.js';
import { writeAnswer } from './scripted-writer.js';

/** A question whose answer is spoken while it is written. Starts at once. */
export class Turn {
  /** Resolves when writing and speech have ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly exchange: Exchange;
  readonly #speaker: SvcSpeakerElement;
  readonly #utterance: Utterance;
  readonly #abort = new AbortController();
  readonly #askedMs = performance.now();
  #heardMs: number | null = null;
  #writtenMs: number | null = null;

  /** @param speaker - Must have no other utterance: stop the previous turn first. */
  constructor(speaker: SvcSpeakerElement, question: string) {
    this.#speaker = speaker;
    this.exchange = new Exchange(question);
    const { signal } = this.#abort;
    // Two branches, so that the answer is shown even if it cannot be spoken.
    const [toShow, toSpeak] = writeAnswer(question, signal).tee();
    this.#utterance = speaker.speak(toSpeak, { signal });
    this.ended = this.#run(toShow);
  }

  /** Stops writing and speech. Idempotent. */
  stop(): void {
    this.#abort.abort();
  }

  async #run(toShow: ReadableStream<string>): Promise<void> {
    const listening = new AbortController();
    const { signal } = listening;
    this.#speaker.addEventListener('timeupdate', this.#updateMarks, { signal });
    this.#speaker.addEventListener('word', this.#updateMarks, { signal });
    this.#speaker.addEventListener('statechange', this.#showState, { signal });
    this.#utterance.started.then(this.#speechStarted, () => {});
    this.#showState();
    const [, spoken] = await Promise.allSettled([this.#write(toShow), this.#utterance.finished]);
    listening.abort();
    if (spoken.status === 'fulfilled') {
      this.exchange.markHeard(this.exchange.text.length);
      this.exchange.showState('finished', this.#timing());
    } else if (this.#abort.signal.aborted) {
      this.exchange.showState('stopped', 'Stopped.');
    } else {
      this.exchange.showState('trouble', (spoken.reason as Error).message);
    }
  }

  async #write(toShow: ReadableStream<string>): Promise<void> {
    const reader = toShow.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      this.exchange.write(read.value);
      this.exchange.markQueued(this.#utterance.text.length);
    }
    this.#writtenMs = performance.now();
    // The element's own play button repeats the answer.
    this.#speaker.text = this.exchange.text;
    this.#showState();
  }

  readonly #speechStarted = (): void => {
    this.#heardMs = performance.now();
    this.#showState();
  };

  readonly #updateMarks = (): void => {
    this.exchange.markQueued(this.#utterance.text.length);
    this.exchange.markHeard(this.#utterance.heard.text.length);
  };

  readonly #showState = (): void => {
    const isWritten = this.#writtenMs !== null;
    const writing = isWritten ? 'Written' : 'Writing';
    let state = isWritten ? `Still speaking. ${this.#timing()}` : 'Speaking while it writes.';
    if (this.#heardMs === null) state = `${writing}, not heard yet.`;
    else if (this.#speaker.state === 'paused') state = `${writing}, speech is paused.`;
    this.exchange.showState('active', state);
  };

  #timing(): string {
    if (this.#heardMs === null || this.#writtenMs === null) return '';
    const wait = inSeconds(this.#heardMs - this.#askedMs);
    const lead = inSeconds(Math.abs(this.#writtenMs - this.#heardMs));
    const order = this.#heardMs < this.#writtenMs ? 'before' : 'after';
    return `Heard ${wait} after the question, ${lead} ${order} the last word was written.`;
  }
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
