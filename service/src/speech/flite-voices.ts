import type { Voice } from './speech-engine.js';

/** A voice of flite. */
export interface FliteVoice extends Voice {
  /** Factor on durations that flite uses with this voice unless told otherwise. */
  readonly stretch: number;
  /** Seconds of speech that are made in 100 ms, as far as can be told beforehand: most that one piece may make. */
  readonly pieceSeconds: number;
  /** Whether flite shifts the pitch itself; measured. Otherwise the finished speech is played faster or slower. */
  readonly shiftsPitch: boolean;
}

/** Of voices that are models of a voice: they take 12.5 ms per second of speech. */
const MODEL = { sampleRate: 16000, stretch: 1, pieceSeconds: 8 } as const;

/** Of voices that are pieces of recordings: they take 1 to 2 ms. */
const RECORDED = { stretch: 1.1, pieceSeconds: 15, shiftsPitch: true } as const;

/** The English voices that are compiled in, the default one first: slt is a woman, the others are men, awb is Scottish. */
export const FLITE_VOICES: readonly FliteVoice[] = [
  { id: 'slt', ...MODEL, shiftsPitch: true },
  { id: 'rms', ...MODEL, shiftsPitch: false, premium: true },
  { id: 'awb', ...MODEL, shiftsPitch: true, premium: true },
  { id: 'kal16', sampleRate: 16000, ...RECORDED },
  { id: 'kal', sampleRate: 8000, ...RECORDED },
];
