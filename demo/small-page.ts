import type { SvcSpeakerElement } from 'svc-speaker';
import { showSource } from './page-source.js';
import { requiredElement } from './required-element.js';

/**
 * Connects a page with one form and one speaker. The form `speech` has a textarea `text` and a button `speak`; the
 * paragraph `path` shows the transport in use, or the error; the section `source` gets the page's source.
 */
export function connectSmallPage(speaker: SvcSpeakerElement): void {
  const textBox = requiredElement('text', HTMLTextAreaElement);
  const path = requiredElement('path', HTMLParagraphElement);
  /** Sets the text that the element's own play button speaks. */
  const setText = () => {
    speaker.text = textBox.value.trim();
  };
  const showTransport = () => {
    const { transport } = speaker.getStats();
    const isolation = crossOriginIsolated ? 'is' : 'is not';
    delete path.dataset.tone;
    path.textContent = `This page ${isolation} cross-origin isolated. Transport: ${transport ?? 'none yet'}.`;
  };

  requiredElement('speech', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const text = textBox.value.trim();
    if (!text) return;
    // The controls show a rejection.
    speaker.speak(text).finished.catch(() => undefined);
    if (speaker.paused) void speaker.play().catch(() => undefined);
  });
  textBox.addEventListener('input', setText);
  speaker.addEventListener('playing', showTransport);
  speaker.addEventListener('error', () => {
    path.dataset.tone = 'trouble';
    path.textContent = speaker.error?.message ?? '';
  });
  setText();
  showTransport();
  requiredElement('speak', HTMLButtonElement).disabled = false;
  void showSource();
}
