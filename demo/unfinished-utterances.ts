import type { SvcSpeakerElement, Utterance } from 'svc-speaker';

/** The utterances of a speaker that have not finished. Dispatches `change`. */
export class UnfinishedUtterances extends EventTarget {
  readonly #utterances = new Set<Utterance>();

  /** @param speaker - Its utterances are added when they start; add queued ones by {@link add}. */
  constructor(speaker: SvcSpeakerElement) {
    super();
    speaker.addEventListener('utterancestart', ({ utterance }) => this.add(utterance));
  }

  get any(): boolean {
    return this.#utterances.size > 0;
  }

  /** Adds `utterance` until it has finished, was cancelled or failed. */
  add(utterance: Utterance): void {
    if (this.#utterances.has(utterance)) return;
    this.#utterances.add(utterance);
    this.dispatchEvent(new Event('change'));
    const remove = () => {
      this.#utterances.delete(utterance);
      this.dispatchEvent(new Event('change'));
    };
    // Errors are shown by the element's events.
    utterance.finished.then(remove, remove);
  }
}
