import type { SpeakerError, SvcSpeakerElement } from 'svc-speaker';

/** A sentence for each reason of an error. */
const titles: Record<SpeakerError['reason'], string> = {
  aborted: 'Speaking was cancelled.',
  'session-request-failed': 'The page could not get a session.',
  'session-invalid': 'The session is invalid.',
  'session-expired': 'The session has expired.',
  'protocol-unsupported': 'The service uses an unsupported protocol.',
  'format-unsupported': 'The service sends an unsupported audio format.',
  'socket-failed': 'The speech service could not be reached.',
  'socket-closed': 'The speech service closed the connection.',
  'service-error': 'The speech service reported an error.',
  'output-failed': 'The browser could not play sound.',
  overflow: 'More audio arrived than can be buffered.',
};

/** Shows the element's error until the next `play`. The element itself announces the error to screen readers. */
export class Notice {
  readonly #box: HTMLElement;

  constructor(speaker: SvcSpeakerElement, box: HTMLElement) {
    this.#box = box;
    speaker.addEventListener('error', () => {
      if (speaker.error) this.#show(titles[speaker.error.reason], speaker.error.message);
    });
    speaker.addEventListener('blocked', () => {
      this.#show('Sound is blocked.', 'The browser allows sound only after a click or a key press. Press play.');
    });
    speaker.addEventListener('play', () => this.clear());
  }

  #show(title: string, message: string): void {
    const strong = document.createElement('strong');
    strong.textContent = title;
    this.#box.replaceChildren(strong, message);
    this.#box.hidden = false;
  }

  clear(): void {
    this.#box.hidden = true;
    this.#box.replaceChildren();
  }
}
