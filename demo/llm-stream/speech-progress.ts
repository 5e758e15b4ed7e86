import type { SvcSpeakerElement, Utterance } from 'svc-speaker';

/**
 * Estimates how much of the text of an utterance has been heard. The protocol has no word times, so all letters are assumed
 * to be equally long. Only the start and the end are exact.
 */
export class SpeechProgress {
  readonly #speaker: SvcSpeakerElement;
  readonly #utterance: Utterance;
  readonly #fromSeconds: number;
  #letters = 0;
  #seconds = 0;
  #lettersPerSecond = 0;

  /** Call it when the utterance starts. The speaker must have no other utterance. */
  constructor(speaker: SvcSpeakerElement, utterance: Utterance) {
    this.#speaker = speaker;
    this.#utterance = utterance;
    this.#fromSeconds = speaker.currentTime;
  }

  /** Returns the number of letters heard so far. Call it several times a second, for example at each `timeupdate`. */
  heardLetters(): number {
    const letters = this.#utterance.text.length;
    const { buffered } = this.#speaker;
    const seconds = buffered.length > 0 ? buffered.end(0) - this.#fromSeconds : 0;
    // Text is sent before its audio arrives, so the ratio is valid only when neither has grown since the last call.
    const isSettled = letters === this.#letters && seconds === this.#seconds;
    if (seconds > 0 && (isSettled || this.#lettersPerSecond === 0)) this.#lettersPerSecond = letters / seconds;
    this.#letters = letters;
    this.#seconds = seconds;
    return (this.#speaker.currentTime - this.#fromSeconds) * this.#lettersPerSecond;
  }
}
