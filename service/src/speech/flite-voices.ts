import type { Voice } from './speech-engine.js';

/** A voice of flite. */
export interface FliteVoice extends Voice {
  /** Default factor on durations that flite uses with this voice. */
  readonly stretch: number;
  /** Maximum length of a piece, in seconds of speech: about what takes 100 ms to make. */
  readonly pieceSeconds: number;
  /** True if flite itself can shift the pitch (measured). Otherwise the finished speech is played faster or slower. */
  readonly shiftsPitch: boolean;
}

/** Statistical voices, which take 12.5 ms per second of speech. */
const MODEL = { sampleRate: 16000, stretch: 1, pieceSeconds: 8 } as const;

/** Voices made of recordings, which take 1 to 2 ms per second of speech. */
const RECORDED = { stretch: 1.1, pieceSeconds: 15, shiftsPitch: true } as const;

/** The compiled-in English voices, the default one first. slt is a woman, the others are men; awb is Scottish. */
export const FLITE_VOICES: readonly FliteVoice[] = [
  { id: 'slt', ...MODEL, shiftsPitch: true },
  { id: 'rms', ...MODEL, shiftsPitch: false, premium: true },
  { id: 'awb', ...MODEL, shiftsPitch: true, premium: true },
  { id: 'kal16', sampleRate: 16000, ...RECORDED },
  { id: 'kal', sampleRate: 8000, ...RECORDED },
];
