import type { SvcSpeakerElement, Utterance } from 'svc-speaker';

/**
 * How far into its text an utterance has been heard. An estimate: the protocol has no times of words, so all letters are
 * taken to be equally long. Only the beginning and the end are certain.
 */
export class SpeakingPace {
  readonly #speaker: SvcSpeakerElement;
  readonly #utterance: Utterance;
  readonly #fromSeconds: number;
  #letters = 0;
  #seconds = 0;
  #lettersPerSecond = 0;

  /** Make one when the utterance starts. It should be the only one that the speaker has. */
  constructor(speaker: SvcSpeakerElement, utterance: Utterance) {
    this.#speaker = speaker;
    this.#utterance = utterance;
    this.#fromSeconds = speaker.currentTime;
  }

  /** Speech of this utterance that has been heard, in seconds. */
  get heardSeconds(): number {
    return this.#speaker.currentTime - this.#fromSeconds;
  }

  /** Letters that have been heard by now. Ask a few times a second, as at each `timeupdate`. */
  heardLetters(): number {
    const letters = this.#utterance.text.length;
    const { buffered } = this.#speaker;
    const seconds = buffered.length > 0 ? buffered.end(0) - this.#fromSeconds : 0;
    // Words are there before their sound is: the two belong together only when neither has grown for a moment.
    const isSettled = letters === this.#letters && seconds === this.#seconds;
    if (seconds > 0 && (isSettled || this.#lettersPerSecond === 0)) this.#lettersPerSecond = letters / seconds;
    this.#letters = letters;
    this.#seconds = seconds;
    return this.heardSeconds * this.#lettersPerSecond;
  }
}
