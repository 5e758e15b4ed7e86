import type { SvcSpeakerElement } from '../index.js';

/** Looks for a speaker by its `id`, now or when it comes. */
export class SpeakerSearch {
  readonly #found: (speaker: SvcSpeakerElement) => void;
  #observer: MutationObserver | undefined;

  /** @param found - Called once for each start, at most. */
  constructor(found: (speaker: SvcSpeakerElement) => void) {
    this.#found = found;
  }

  /**
   * Begins anew.
   *
   * @param root - The document or shadow tree that it is in.
   * @param id - Nothing is found by an empty one.
   */
  start(root: Document | ShadowRoot, id: string): void {
    this.stop();
    const look = (): boolean => {
      const found = id ? root.getElementById(id) : null;
      // Before its class is there, it has no statistics.
      if (!found || !('getStats' in found)) return false;
      this.stop();
      this.#found(found as SvcSpeakerElement);
      return true;
    };
    if (look()) return;
    const observer = new MutationObserver(look);
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['id'] });
    this.#observer = observer;
    // A definition mutates nothing.
    void customElements.whenDefined('svc-speaker').then(() => this.#observer === observer && look());
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }
}
