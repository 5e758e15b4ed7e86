import type { Voice } from './speech-engine.js';

/** A voice of flite. */
export interface FliteVoice extends Voice {
  /** Factor on durations that flite uses with this voice unless told otherwise. */
  readonly stretch: number;
}

/** The English voices that are compiled in, the default one first: slt is a woman, the others are men, awb is Scottish. */
export const FLITE_VOICES: readonly FliteVoice[] = [
  { id: 'slt', sampleRate: 16000, stretch: 1 },
  { id: 'rms', sampleRate: 16000, stretch: 1 },
  { id: 'awb', sampleRate: 16000, stretch: 1 },
  { id: 'kal16', sampleRate: 16000, stretch: 1.1 },
  { id: 'kal', sampleRate: 8000, stretch: 1.1 },
];
