/** Publishes the speech of the element in a LiveKit room. */
import 'svc-speaker/define.js';
import { requiredElement } from '../required-element.js';
import { connectSmallPage } from '../small-page.js';
import type { Published } from './room/publish-speech.js';

const speaker = document.querySelector('svc-speaker')!;
const form = requiredElement('room', HTMLFormElement);
const url = requiredElement('room-url', HTMLInputElement);
const button = requiredElement('room-join', HTMLButtonElement);
const remark = requiredElement('room-remark', HTMLParagraphElement);
let published: Published | null = null;

const show = (text: string, tone: 'plain' | 'trouble' = 'plain'): void => {
  remark.textContent = text;
  remark.dataset.tone = tone;
  button.textContent = published ? 'Leave' : 'Join';
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    if (published) {
      await published.leave();
      published = null;
      show('Left.');
    } else {
      show('Joining…');
      // The development server installs LiveKit's client at the first import.
      const { publishSpeech } = await import('./room/publish-speech.js');
      published = await publishSpeech(speaker, url.value, () => {
        published = null;
        show('The room was closed.');
      });
      show(`In ${published.room}, as ${published.identity}: what is spoken here is heard there.`);
    }
  } catch (error) {
    show(`Not in the room: ${error instanceof Error ? error.message : String(error)}`, 'trouble');
  } finally {
    button.disabled = false;
  }
});
button.disabled = false;
connectSmallPage(speaker);
