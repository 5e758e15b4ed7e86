import type { SvcSpeakerElement } from 'svc-speaker';
import { requiredElement } from './required-element.js';
import { sampleTexts } from './sample-texts.js';
import type { UnsaidUtterances } from './unsaid-utterances.js';

/**
 * Wires the text box and the three buttons to the element. Speak while speaking queues the text behind what is being
 * said, as `speak()` does.
 *
 * @param speakWords - Asks the element for the words of the text box.
 */
export function connectSpeechForm(
  speaker: SvcSpeakerElement,
  unsaid: UnsaidUtterances,
  speakWords: (words: string) => void,
): void {
  const form = requiredElement('speech', HTMLFormElement);
  const text = requiredElement('text', HTMLTextAreaElement);
  const submit = requiredElement('speak', HTMLButtonElement);
  const pause = requiredElement('pause', HTMLButtonElement);
  const stop = requiredElement('stop', HTMLButtonElement);

  const speak = () => {
    const words = text.value.trim();
    if (!words) {
      text.focus();
      return;
    }
    speakWords(words);
    // A listener who paused and now presses Speak wants to hear it.
    if (speaker.paused) resume();
  };

  // A rejection is one of: cancelled, blocked (event `blocked`), failed (event `error`). All three show on the page.
  const resume = () => void speaker.play().catch(() => undefined);

  const showButtons = () => {
    const silent = speaker.paused && !unsaid.any;
    pause.disabled = stop.disabled = silent;
    pause.textContent = speaker.paused && !silent ? 'Resume' : 'Pause';
  };

  /** The element's own play button speaks this text as well. */
  const setWords = () => {
    speaker.text = text.value.trim();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    speak();
  });
  text.addEventListener('input', setWords);
  pause.addEventListener('click', () => (speaker.paused ? resume() : speaker.pause()));
  stop.addEventListener('click', () => speaker.cancel());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') speaker.cancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target === text) speak();
  });
  for (const event of ['play', 'pause', 'ended', 'blocked']) speaker.addEventListener(event, showButtons);
  unsaid.addEventListener('change', showButtons);

  requiredElement('samples', HTMLElement).append(
    ...sampleTexts.map((sample) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = sample.name;
      button.addEventListener('click', () => {
        text.value = sample.text;
        setWords();
      });
      return button;
    }),
  );

  setWords();
  // Until here a press would have sent the form to the server.
  submit.disabled = false;
}
