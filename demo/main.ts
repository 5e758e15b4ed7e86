/** The demo page: `<svc-speaker>` as a page author uses it, and displays of everything it reports. */
import 'svc-speaker/define.js';
import type { Utterance } from 'svc-speaker';
import { connectAudioForm } from './audio-form.js';
import { EventLog, logEvents } from './event-log.js';
import { FigureTable, FirstSound } from './figures.js';
import { runLiveChart } from './live-chart.js';
import { Notice } from './notice.js';
import { showPortrait } from './portrait.js';
import { requiredElement } from './required-element.js';
import { connectRoomForm } from './room-form.js';
import { connectSettings } from './speaker-settings.js';
import { connectSpeechForm } from './speech-form.js';
import { followState } from './state-texts.js';

const speaker = document.querySelector('svc-speaker');
if (!speaker) throw new TypeError('index.html has no <svc-speaker>');

const log = new EventLog(requiredElement('journal', HTMLOListElement));
const notice = new Notice(speaker, requiredElement('notice', HTMLElement));
const figures = new FigureTable(requiredElement('figures', HTMLDListElement));
const firstSound = new FirstSound();
const stateLine = requiredElement('state', HTMLElement);

followState(speaker, (state, text) => {
  stateLine.dataset.state = state;
  stateLine.textContent = text;
});
logEvents(speaker, log);
connectSettings(speaker);
const wake = runLiveChart(speaker, requiredElement('chart', HTMLElement), () => figures.update(speaker, firstSound));
requiredElement('settings', HTMLFieldSetElement).addEventListener('input', wake);
/** Requests an utterance, and shows its events and times. */
const follow = (request: () => Utterance): void => {
  notice.clear();
  log.restart();
  const askedMs = performance.now();
  firstSound.time(request(), askedMs);
};
connectSpeechForm(speaker, (text) => follow(() => speaker.speak(text)));
connectAudioForm((audio, name) => {
  follow(() => speaker.speakAudio(audio, { text: name }));
  // `speakAudio()` does not end a pause, but the button should.
  if (speaker.paused) void speaker.play().catch(() => undefined);
});
connectRoomForm();
void showPortrait(speaker, requiredElement('portrait', HTMLElement), requiredElement('portrait-remark', HTMLElement));
// Loaded when first opened. It still shows everything, because it shares the chart's recorder.
requiredElement('inspector', HTMLDetailsElement).addEventListener(
  'toggle',
  () => void import('svc-speaker/inspector.js'),
  { once: true },
);
