/** The element's speech in a LiveKit room. */
import 'svc-speaker/define.js';
import { requiredElement } from '../required-element.js';
import { connectSmallPage } from '../small-page.js';
import { publishSpeech, type Published } from './publish-speech.js';

/** The avatar of the room; `svc-service` comes with one of this id. */
const AVATAR_ID = 'demo';

const speaker = document.querySelector('svc-speaker')!;
const form = requiredElement('room', HTMLFormElement);
const url = requiredElement('room-url', HTMLInputElement);
const button = requiredElement('room-join', HTMLButtonElement);
const remark = requiredElement('room-remark', HTMLParagraphElement);
let published: Published | null = null;

const show = (said: string): void => {
  remark.textContent = said;
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
      published = await publishSpeech(speaker, url.value, AVATAR_ID, () => {
        published = null;
        show('The room is gone.');
      });
      show(`In ${published.room}, as ${published.identity}: what is spoken here is heard there.`);
    }
  } catch (error) {
    show(`Not in the room: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    button.disabled = false;
  }
});
button.disabled = false;
connectSmallPage(speaker);
