import { wavHeader } from '../../../src/base/wav-header.js';

const RATE = 24000;

/** Creates an `<audio>` element with a quiet tone, to compare a speaker with. It loads nothing before it is played. */
export function audioElement(seconds: number): HTMLAudioElement {
  const audio = document.createElement('audio');
  const samples = Int16Array.from(
    { length: seconds * RATE },
    (_, i) => 3000 * Math.sin((2 * Math.PI * 440 * i) / RATE),
  );
  const header = wavHeader(RATE, 1, 16, samples.byteLength);
  audio.preload = 'none';
  audio.src = URL.createObjectURL(new Blob([header, samples], { type: 'audio/wav' }));
  document.body.append(audio);
  return audio;
}
