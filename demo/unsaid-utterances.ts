import type { SvcSpeakerElement, Utterance } from 'svc-speaker';

/** The utterances that are not over: neither heard to their end, nor cancelled, nor failed. */
export class UnsaidUtterances extends EventTarget {
  readonly #unsaid = new Set<Utterance>();

  /** @param speaker - Its utterances are known once they are heard, whoever asked for them; others by {@link add}. */
  constructor(speaker: SvcSpeakerElement) {
    super();
    speaker.addEventListener('utterancestart', ({ utterance }) => this.add(utterance));
  }

  get any(): boolean {
    return this.#unsaid.size > 0;
  }

  /** Counts `utterance` in until it is over. Fires `change` now and then. */
  add(utterance: Utterance): void {
    if (this.#unsaid.has(utterance)) return;
    this.#unsaid.add(utterance);
    this.dispatchEvent(new Event('change'));
    // How it ended is told by the element's events; here it only matters that it has.
    const over = () => {
      this.#unsaid.delete(utterance);
      this.dispatchEvent(new Event('change'));
    };
    utterance.finished.then(over, over);
  }
}
