/** The element in an audio graph of Tone.js: speech with effects, over music that is ducked. */
import * as Tone from 'tone';
import 'svc-speaker/define.js';
import { requiredElement } from '../required-element.js';
import { connectSmallPage } from '../small-page.js';
import { Music } from './music.js';

/** Level at the left end of the level bars, in dBFS. */
const FLOOR_DB = -60;

const speaker = document.querySelector('svc-speaker')!;
const voice = new Tone.Gain();
const lowPass = new Tone.Filter({ type: 'lowpass', rolloff: -24 });
const hall = new Tone.Reverb({ decay: 3, preDelay: 0.02 });
voice.chain(lowPass, hall, Tone.getDestination());
speaker.audioContext = Tone.getContext();
speaker.destination = voice.input;

/** Applies the value of a slider, now and after each change. `apply` returns the text to show. */
function connectSlider(id: string, apply: (value: number) => string): void {
  const slider = requiredElement(id, HTMLInputElement);
  const output = requiredElement(`${id}-value`, HTMLOutputElement);
  const update = (): void => {
    output.value = apply(slider.valueAsNumber);
  };
  slider.addEventListener('input', update);
  update();
}

connectSlider('hall', (percent) => {
  hall.wet.rampTo(percent / 100, 0.05);
  return `${percent} %`;
});
connectSlider('filter', (hertz) => {
  lowPass.frequency.rampTo(hertz, 0.05);
  return `${(hertz / 1000).toFixed(1)} kHz`;
});

const music = new Music();
const button = requiredElement('music', HTMLButtonElement);
const state = requiredElement('music-state', HTMLParagraphElement);
const showMusic = (): void => {
  button.ariaPressed = String(music.isOn);
  const loudness = music.isDucked ? 'The music is lowered.' : 'The music has its full level.';
  state.textContent = music.isOn ? loudness : 'No music.';
};
button.addEventListener('click', async () => {
  await Tone.start();
  music.toggle();
  showMusic();
});
for (const type of ['playing', 'pause', 'ended']) {
  speaker.addEventListener(type, () => {
    music.duck(type === 'playing');
    showMusic();
  });
}

/** Shows the level of a node in the custom property `--level` of `bar`, 0 to 1. */
function showLevel(node: Tone.ToneAudioNode, bar: HTMLElement): void {
  const meter = new Tone.Meter({ smoothing: 0.85 });
  node.connect(meter);
  const draw = (): void => {
    const level = 1 - Math.max(FLOOR_DB, Math.min(0, meter.getValue())) / FLOOR_DB;
    bar.style.setProperty('--level', level.toFixed(3));
    requestAnimationFrame(draw);
  };
  draw();
}

showLevel(hall, requiredElement('voice-level', HTMLElement));
showLevel(music.output, requiredElement('music-level', HTMLElement));
connectSmallPage(speaker);
