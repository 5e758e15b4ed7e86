import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import { requiredElement } from './required-element.js';
import { sampleTexts } from './sample-texts.js';

/**
 * Wires the text box and the three buttons to the element. Speak while speaking queues the text behind what is being
 * said, as `speak()` does.
 *
 * @param speakWords - Asks the element for the words of the text box.
 */
export function connectSpeechForm(speaker: SvcSpeakerElement, speakWords: (words: string) => Utterance): void {
  const form = requiredElement('speech', HTMLFormElement);
  const text = requiredElement('text', HTMLTextAreaElement);
  const submit = requiredElement('speak', HTMLButtonElement);
  const pause = requiredElement('pause', HTMLButtonElement);
  const stop = requiredElement('stop', HTMLButtonElement);
  let unsaid = 0;

  const speak = () => {
    const words = text.value.trim();
    if (!words) {
      text.focus();
      return;
    }
    const utterance = speakWords(words);
    unsaid += 1;
    showButtons();
    // How it ended is told by the element's events; here it only matters that it has.
    const settled = () => {
      unsaid -= 1;
      showButtons();
    };
    utterance.started.catch(() => undefined);
    utterance.finished.then(settled, settled);
    // A listener who paused and now presses Speak wants to hear it.
    if (speaker.paused) resume();
  };

  // A rejection is one of: cancelled, blocked (event `blocked`), failed (event `error`). All three show on the page.
  const resume = () => void speaker.play().catch(() => undefined);
  const silence = () => speaker.cancel();

  const showButtons = () => {
    pause.disabled = stop.disabled = unsaid === 0;
    pause.textContent = speaker.paused && unsaid > 0 ? 'Resume' : 'Pause';
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    speak();
  });
  pause.addEventListener('click', () => (speaker.paused ? resume() : speaker.pause()));
  stop.addEventListener('click', silence);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') silence();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target === text) speak();
  });
  for (const event of ['play', 'pause', 'blocked']) speaker.addEventListener(event, showButtons);

  // Until here a press would have sent the form to the server.
  submit.disabled = false;

  requiredElement('samples', HTMLElement).append(
    ...sampleTexts.map((sample) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = sample.name;
      button.addEventListener('click', () => {
        text.value = sample.text;
      });
      return button;
    }),
  );
}
