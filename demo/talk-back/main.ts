/** A story that can be interrupted: a noise ducks it, a voice stops it. */
import 'svc-speaker/define.js';
import type { SvcSpeakerElement, Utterance } from 'svc-speaker';
import { EventLog } from '../event-log.js';
import { requiredElement } from '../required-element.js';
import { connectSmallPage } from '../small-page.js';
import { Interruption } from './interruption.js';
import { connectListening, FRAME_MS } from './listening.js';
import { TwoSides } from './two-sides.js';

/** Time after which a noise without enough voice is over. */
const PATIENCE_MS = 700;

const speaker = document.querySelector('svc-speaker')!;
const goOn = requiredElement('go-on', HTMLButtonElement);
const story = requiredElement('story', HTMLParagraphElement);
const log = new EventLog(requiredElement('journal', HTMLOListElement));
let utterance: Utterance | null = null;
/** True from the first sample that is heard to the end of the speech. A voice interrupts only then. */
let isHeard = false;

/** Shows the value of a slider, and returns a function that reads it. */
function connectSlider(id: string, format: (value: number) => string): () => number {
  const slider = requiredElement(id, HTMLInputElement);
  const output = requiredElement(`${id}-value`, HTMLOutputElement);
  const show = (): void => {
    output.value = format(slider.valueAsNumber);
  };
  slider.addEventListener('input', show);
  show();
  return () => slider.valueAsNumber;
}

const threshold = connectSlider('threshold', (probability) => `${Math.round(100 * probability)} %`);
const enoughMs = connectSlider('enough', (ms) => `${ms} ms`);
const picture = new TwoSides(requiredElement('picture', HTMLCanvasElement), speaker, threshold);

const interruption = new Interruption(
  {
    duck: () => {
      speaker.duck();
      log.write('ducked');
    },
    unduck: () => {
      speaker.unduck();
      log.write('restored', 'it was a noise');
    },
    cancel: () => {
      speaker.cancel();
      picture.markStop();
      if (utterance) log.write('stopped', `after ${utterance.heard.seconds.toFixed(2)} s`, 'trouble');
      showHeard();
    },
    after: (ms, action) => {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
  },
  { enoughMs, patienceMs: PATIENCE_MS },
);

/** Shows the story and marks its heard part. A language model would receive only that part as its answer. */
function showHeard(): void {
  if (!utterance) return;
  const heard = document.createElement('mark');
  heard.textContent = utterance.heard.text;
  story.replaceChildren(heard, restOf(utterance));
  goOn.disabled = speaker.hasSpeech || restOf(utterance) === '';
}

function restOf({ text, heard }: Utterance): string {
  return text.slice(heard.text.length);
}

const startListening = connectListening(document.querySelector<SvcSpeakerElement>('#visitor')!, (probability) => {
  picture.hear(probability);
  if (isHeard && speaker.state === 'playing') interruption.hear(probability >= threshold(), FRAME_MS);
});
speaker.addEventListener('utterancestart', (event) => {
  utterance = event.utterance;
  isHeard = true;
  log.restart();
  log.write('speaks');
});
speaker.addEventListener('timeupdate', showHeard);
speaker.addEventListener('statechange', () => {
  if (!speaker.hasSpeech) {
    isHeard = false;
    interruption.reset();
  }
  showHeard();
});
goOn.addEventListener('click', () => {
  if (utterance) speaker.speak(restOf(utterance).trim()).finished.catch(() => undefined);
});
speaker.addEventListener('play', () => void startListening());
connectSmallPage(speaker);
