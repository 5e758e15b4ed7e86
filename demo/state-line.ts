import type { SvcSpeakerElement } from 'svc-speaker';

/** What each event means for a listener, in words. */
const wordings = {
  play: ['asked', 'Asking for speech'],
  waiting: ['filling', 'Filling the buffer'],
  playing: ['speaking', 'Speaking'],
  pause: ['paused', 'Held, nothing is lost'],
  ended: ['done', 'Said'],
  emptied: ['idle', 'Silent'],
  blocked: ['blocked', 'The browser waits for a click before it lets sound out'],
  error: ['trouble', 'Something went wrong'],
} as const;

/** Keeps `line` saying in one short sentence what the element is doing, and its `data-state` in one word. */
export function showState(speaker: SvcSpeakerElement, line: HTMLElement): void {
  for (const [event, [state, words]] of Object.entries(wordings)) {
    speaker.addEventListener(event, () => {
      line.dataset.state = state;
      line.textContent = words;
    });
  }
}
