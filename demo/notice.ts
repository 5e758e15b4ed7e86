import type { SpeakerError, SvcSpeakerElement } from 'svc-speaker';

/** What each reason of an error means, in a sentence a reader of the page understands. */
const titles: Record<SpeakerError['reason'], string> = {
  aborted: 'It was given up.',
  'session-request-failed': 'The page could not get a session.',
  'session-invalid': 'The session is not one the element can use.',
  'session-expired': 'The session was too old.',
  'protocol-unsupported': 'The service speaks another protocol.',
  'format-unsupported': 'The service sends another kind of audio.',
  'socket-failed': 'The speech service could not be reached.',
  'socket-closed': 'The speech service hung up.',
  'service-error': 'The speech service refused the text.',
  'output-failed': 'The browser could not play sound.',
  overflow: 'More audio came than there is room for.',
};

/** Shows the element's error, with its remedy, until the next try. The element itself announces it. */
export class Notice {
  readonly #box: HTMLElement;

  constructor(speaker: SvcSpeakerElement, box: HTMLElement) {
    this.#box = box;
    speaker.addEventListener('error', () => {
      if (speaker.error) this.#show(titles[speaker.error.reason], speaker.error.message);
    });
    speaker.addEventListener('blocked', () => {
      this.#show('Sound is blocked.', 'The browser lets a page make sound only after a click or a key. Press Resume.');
    });
    speaker.addEventListener('play', () => this.clear());
  }

  /** @param remedy - What to do about it, as the error says. */
  #show(title: string, remedy: string): void {
    const strong = document.createElement('strong');
    strong.textContent = title;
    this.#box.replaceChildren(strong, remedy);
    this.#box.hidden = false;
  }

  clear(): void {
    this.#box.hidden = true;
    this.#box.replaceChildren();
  }
}
