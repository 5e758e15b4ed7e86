import { loadFlite } from '../../../../service/src/speech/flite-module.js';
import { FliteProgram } from '../../../../service/src/speech/flite-program.js';
import { FLITE_VOICES } from '../../../../service/src/speech/flite-voices.js';
import { joinSamples } from '../../../../service/src/speech/join-samples.js';
import { createRateConverter } from '../../../../service/src/speech/rate-converter.js';
import { SilenceTrimmer } from '../../../../service/src/speech/silence.js';
import type { Random } from '../../../../src/testing/random.js';
import { type Sound, tone } from '../../../../src/testing/index.js';

const RATE = 24_000;

const TEXTS = [
  'Six thick thistle sticks stood in the shade; she sells sea shells, and he chose fresh fish for supper.',
  'Please turn left at the second crossing, follow the river for about three kilometres, and then keep right.',
  'Pack both big boxes back to back, put the kettle on top, and keep the papers dry. Yes. No. Perhaps.',
];

/** Returns speech of the embedded service in three voices: about 18 s each, with pauses of 0.3 s between sentences. */
export async function loadVoices(): Promise<Int16Array[]> {
  const flite = new FliteProgram(await loadFlite());
  return ['slt', 'awb', 'kal16'].map((voice) => {
    const { sampleRate } = FLITE_VOICES.find(({ id }) => id === voice)!;
    const parts = TEXTS.flatMap((text) => {
      const trimmer = new SilenceTrimmer(sampleRate, 0.3);
      const spoken: Int16Array[] = [];
      flite.speak({ text, voice, stretch: null, pitch: 1 }, (samples) => spoken.push(trimmer.push(samples)));
      flite.recover();
      const converter = createRateConverter(sampleRate, RATE);
      return [converter.convert(joinSamples([...spoken, trimmer.end()])), converter.flush()];
    });
    return joinSamples(parts);
  });
}

/** Returns a random piece of a voice, with ramps of 3 ms at its ends. */
export function pieceOf(voice: Int16Array, seconds: number, random: Random): Sound {
  const length = Math.min(voice.length, Math.round(seconds * RATE));
  const ramp = 0.003 * RATE;
  for (;;) {
    const from = random.below(voice.length - length + 1);
    const samples = voice.slice(from, from + length);
    // Skip a piece that begins or ends with a pause, because its sound would begin or end elsewhere.
    if (!samples.subarray(0, 0.03 * RATE).some(isLoud) || !samples.subarray(-0.03 * RATE).some(isLoud)) continue;
    for (let i = 0; i < ramp; i++) {
      samples[i] = Math.round(samples[i]! * (i / ramp));
      samples[length - 1 - i] = Math.round(samples[length - 1 - i]! * (i / ramp));
    }
    return { samples, sampleRate: RATE };
  }
}

/** Returns a tone of whole periods. A tone that is cut off would click. */
export function wholeTone(hz: number, seconds: number): Sound {
  return tone(hz, Math.round(seconds * hz) / hz);
}

function isLoud(sample: number): boolean {
  return Math.abs(sample) > 1000;
}
