import { loadFlite } from '../../service/src/speech/flite-module.js';
import { FliteProgram } from '../../service/src/speech/flite-program.js';
import { joinSamples } from '../../service/src/speech/join-samples.js';
import { ROOM_RATE } from './room.js';

/** Words with which a person interrupts. */
const WORDS = ['Stop.', 'Stop, please.', 'Wait a moment.', 'Hold on.', 'No, thank you.'];

/** Voices that do not tell the story, and their rate in Hz. */
const VOICES = ['rms', 'awb'];
const VOICE_RATE = 16_000;

/** Sounds start at the first sample above this: the voice's own noise, of 32768, is below. */
const FLOOR = 200;

/** Peak of a word at the microphone. */
const PEAK = 0.5;

/** Returns each word in each voice, at {@link ROOM_RATE}, without the silence before it. */
export async function makeWords(): Promise<Float32Array[]> {
  const flite = new FliteProgram(await loadFlite());
  return WORDS.flatMap((text) =>
    VOICES.map((voice) => {
      const parts: Int16Array[] = [];
      flite.speak({ text, voice, stretch: null, pitch: 1 }, (samples) => parts.push(samples.slice()));
      flite.recover();
      const all = joinSamples(parts);
      return toRoom(all.subarray(all.findIndex((sample) => Math.abs(sample) > FLOOR)));
    }),
  );
}

/** Converts to the room's rate by linear interpolation, which suffices for a detector that listens at 16 kHz. */
function toRoom(samples: Int16Array): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const ratio = ROOM_RATE / VOICE_RATE;
  return Float32Array.from({ length: (samples.length - 1) * ratio }, (_, index) => {
    const at = Math.floor(index / ratio);
    const share = index / ratio - at;
    return (PEAK / peak) * ((1 - share) * samples[at]! + share * samples[at + 1]!);
  });
}
