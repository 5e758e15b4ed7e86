import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import { Exchange } from './exchange.js';
import { writeAnswer } from './scripted-writer.js';
import { SpeakingPace } from './speaking-pace.js';

/** One question, whose answer is spoken while it is written. Begins at once. */
export class Turn {
  /** Resolves when nothing more is written or heard. */
  readonly over: Promise<void>;
  /** What is to be seen of it. */
  readonly exchange: Exchange;
  readonly #speaker: SvcSpeakerElement;
  readonly #utterance: Utterance;
  readonly #stop = new AbortController();
  readonly #askedMs = performance.now();
  #heardMs: number | null = null;
  #writtenMs: number | null = null;
  #pace: SpeakingPace | null = null;

  /** @param speaker - Should have nothing else to say: stop the turn before first. */
  constructor(speaker: SvcSpeakerElement, question: string) {
    this.#speaker = speaker;
    this.exchange = new Exchange(question);
    const { signal } = this.#stop;
    // Two readers, so that an answer that cannot be spoken is written all the same.
    const [toShow, toSpeak] = writeAnswer(question, signal).tee();
    this.#utterance = speaker.speak(toSpeak, { signal });
    this.over = this.#follow(toShow);
  }

  /** Ends writing and speech. Idempotent. */
  stop(): void {
    this.#stop.abort();
  }

  async #follow(toShow: ReadableStream<string>): Promise<void> {
    const following = new AbortController();
    const { signal } = following;
    this.#speaker.addEventListener('timeupdate', this.#hear, { signal });
    for (const type of ['playing', 'pause']) this.#speaker.addEventListener(type, this.#sayState, { signal });
    this.#utterance.started.then(this.#start, () => {});
    this.#sayState();
    const [, spoken] = await Promise.allSettled([this.#write(toShow), this.#utterance.finished]);
    following.abort();
    if (spoken.status === 'fulfilled') {
      this.exchange.hear(this.exchange.text.length);
      this.exchange.say('over', this.#timing());
    } else if (this.#stop.signal.aborted) {
      this.exchange.say('stopped', 'Stopped.');
    } else {
      this.exchange.say('trouble', (spoken.reason as Error).message);
    }
  }

  async #write(toShow: ReadableStream<string>): Promise<void> {
    const reader = toShow.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      this.exchange.write(read.value);
      this.exchange.give(this.#utterance.text.length);
    }
    this.#writtenMs = performance.now();
    this.#speaker.text = this.exchange.text; // for the play button
    this.#sayState();
  }

  readonly #start = (): void => {
    this.#heardMs = performance.now();
    this.#pace = new SpeakingPace(this.#speaker, this.#utterance);
    this.#sayState();
  };

  readonly #hear = (): void => {
    this.exchange.give(this.#utterance.text.length);
    if (this.#pace) this.exchange.hear(this.#pace.heardLetters());
  };

  readonly #sayState = (): void => {
    const isWritten = this.#writtenMs !== null;
    const doing = isWritten ? 'Written' : 'Writing';
    if (!this.#pace) this.exchange.say('going', `${doing}, not heard yet.`);
    else if (this.#speaker.paused) this.exchange.say('going', `${doing}, speech is paused.`);
    else this.exchange.say('going', isWritten ? `Still speaking. ${this.#timing()}` : 'Speaking while it writes.');
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
