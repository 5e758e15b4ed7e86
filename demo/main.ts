/**
 * The demo page: `<svc-speaker>` as a page author uses it, with everything it reports put on show. What each module
 * does is said in its own file; this one only brings them together.
 */
import 'svc-speaker/define.js';
import { FigureTable } from './figures.js';
import { Journal } from './journal.js';
import { runLivePicture } from './live-picture.js';
import { Notice } from './notice.js';
import { showPortrait } from './portrait.js';
import { requiredElement } from './required-element.js';
import { connectRoomForm } from './room-form.js';
import { FirstSound, readFigures } from './speaker-figures.js';
import { keepJournal } from './speaker-journal.js';
import { connectSettings } from './speaker-settings.js';
import { connectSpeechForm } from './speech-form.js';
import { showState } from './state-line.js';
import { UnsaidUtterances } from './unsaid-utterances.js';

const speaker = document.querySelector('svc-speaker');
if (!speaker) throw new TypeError('index.html has no <svc-speaker>');

const journal = new Journal(requiredElement('journal', HTMLOListElement));
const notice = new Notice(speaker, requiredElement('notice', HTMLElement));
const figures = new FigureTable(requiredElement('figures', HTMLDListElement));
const firstSound = new FirstSound();
const unsaid = new UnsaidUtterances(speaker);

showState(speaker, unsaid, requiredElement('state', HTMLElement));
keepJournal(speaker, journal);
connectSettings(speaker);
const wake = runLivePicture(speaker, requiredElement('chart', HTMLElement), () => {
  figures.show(readFigures(speaker, firstSound));
});
requiredElement('settings', HTMLFieldSetElement).addEventListener('input', wake);
connectSpeechForm(speaker, unsaid, (words) => {
  notice.clear();
  journal.restart();
  const askedMs = performance.now();
  const utterance = speaker.speak(words);
  firstSound.time(utterance, askedMs);
  unsaid.add(utterance);
});
connectRoomForm();
void showPortrait(speaker, requiredElement('portrait', HTMLElement), requiredElement('portrait-remark', HTMLElement));
