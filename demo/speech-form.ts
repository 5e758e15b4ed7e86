import type { SvcSpeakerElement } from 'svc-speaker';
import { requiredElement } from './required-element.js';
import { sampleTexts } from './sample-texts.js';

/**
 * Connects the text box, its buttons and keys to the speaker. While the speaker is speaking, Speak queues the text.
 *
 * @param speakText - Calls `speaker.speak()`.
 */
export function connectSpeechForm(speaker: SvcSpeakerElement, speakText: (text: string) => void): void {
  const form = requiredElement('speech', HTMLFormElement);
  const textBox = requiredElement('text', HTMLTextAreaElement);
  const submit = requiredElement('speak', HTMLButtonElement);
  const pause = requiredElement('pause', HTMLButtonElement);
  const stop = requiredElement('stop', HTMLButtonElement);

  const speak = () => {
    const text = textBox.value.trim();
    if (!text) {
      textBox.focus();
      return;
    }
    speakText(text);
    // `speak()` does not end a pause, but the button should.
    if (speaker.paused) resume();
  };

  // The page shows each reason for a rejection: cancelled, blocked (`blocked` event), failed (`error` event).
  const resume = () => void speaker.play().catch(() => undefined);

  const isHeld = () => speaker.state === 'paused' || speaker.state === 'blocked';

  /** Sets the text that the element's own play button speaks. */
  const setText = () => {
    speaker.text = textBox.value.trim();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    speak();
  });
  textBox.addEventListener('input', setText);
  pause.addEventListener('click', () => (isHeld() ? resume() : speaker.pause()));
  stop.addEventListener('click', () => speaker.cancel());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') speaker.cancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target === textBox) speak();
  });
  speaker.addEventListener('statechange', () => {
    pause.disabled = stop.disabled = !speaker.hasSpeech;
    pause.textContent = isHeld() ? 'Resume' : 'Pause';
  });

  requiredElement('samples', HTMLElement).append(
    ...sampleTexts.map((sample) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = sample.name;
      button.addEventListener('click', () => {
        textBox.value = sample.text;
        textBox.dispatchEvent(new Event('input', { bubbles: true }));
      });
      return button;
    }),
  );

  setText();
  // Disabled in the markup: before this script runs, it would submit the form to the server.
  submit.disabled = false;
}
