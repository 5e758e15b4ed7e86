import type { SvcSpeakerElement } from 'svc-speaker';
import { requiredElement } from './required-element.js';

/**
 * Wires a page with one form and one speaker: what is written is spoken, and the page says which way samples take, or
 * what went wrong.
 *
 * Expects a form `speech` with a textarea `text` and a button `speak`, and a paragraph `path`.
 */
export function connectSmallPage(speaker: SvcSpeakerElement): void {
  const text = requiredElement('text', HTMLTextAreaElement);
  const path = requiredElement('path', HTMLParagraphElement);
  const setWords = () => {
    speaker.text = text.value.trim(); // for the play button
  };
  const showPath = () => {
    const { transport } = speaker.getStats();
    const isolation = crossOriginIsolated ? 'is' : 'is not';
    path.textContent = `This page ${isolation} cross-origin isolated. Transport: ${transport ?? 'none yet'}.`;
  };

  requiredElement('speech', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const words = text.value.trim();
    if (!words) return;
    // A rejection shows as an error or as `blocked` in the controls.
    speaker.speak(words).finished.catch(() => undefined);
    if (speaker.paused) void speaker.play().catch(() => undefined);
  });
  text.addEventListener('input', setWords);
  speaker.addEventListener('playing', showPath);
  speaker.addEventListener('error', () => {
    path.textContent = speaker.error?.message ?? '';
  });
  setWords();
  showPath();
  requiredElement('speak', HTMLButtonElement).disabled = false;
}
