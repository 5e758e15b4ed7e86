/** The element inside a graph of Tone.js: speech through effects, over music that makes way for it. */
import * as Tone from 'tone';
import 'svc-speaker/define.js';
import { requiredElement } from '../required-element.js';
import { connectSmallPage } from '../small-page.js';
import { showLevel } from './level-bar.js';
import { Music } from './music.js';

const speaker = document.querySelector('svc-speaker')!;
const voice = new Tone.Gain();
const lowPass = new Tone.Filter({ type: 'lowpass', rolloff: -24 });
const hall = new Tone.Reverb({ decay: 3, preDelay: 0.02 });
voice.chain(lowPass, hall, Tone.getDestination());
speaker.audioContext = Tone.getContext();
speaker.destination = voice.input;

/** Has a slider set an effect, now and whenever it is moved. */
function connectSlider(id: string, set: (value: number) => string): void {
  const slider = requiredElement(id, HTMLInputElement);
  const output = requiredElement(`${id}-value`, HTMLOutputElement);
  const read = (): void => {
    output.value = set(slider.valueAsNumber);
  };
  slider.addEventListener('input', read);
  read();
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
const sayMusic = (): void => {
  button.ariaPressed = String(music.isOn);
  const loudness = music.isDucked ? 'The music makes way for the voice.' : 'The music is up.';
  state.textContent = music.isOn ? loudness : 'No music.';
};
button.addEventListener('click', async () => {
  await Tone.start();
  music.toggle();
  sayMusic();
});
for (const type of ['playing', 'pause', 'ended']) {
  speaker.addEventListener(type, () => {
    music.duck(type === 'playing');
    sayMusic();
  });
}

showLevel(hall, requiredElement('voice-level', HTMLElement));
showLevel(music.output, requiredElement('music-level', HTMLElement));
connectSmallPage(speaker);
