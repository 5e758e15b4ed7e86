import type { Voice } from './speech-engine.js';

/** A voice as an operator configures it: its id, or its id and whether it is a premium voice. */
export type VoiceSetting = string | { readonly id: string; readonly premium?: boolean };

/**
 * Creates voices that all have the same rate.
 *
 * @param settings - At least one; the first one is the default.
 * @param sampleRate - Rate of the voices, in Hz.
 * @throws {RangeError} If there is no voice, a voice without an id, or a duplicate.
 */
export function listVoices(settings: readonly VoiceSetting[], sampleRate: number): Voice[] {
  const voices = settings.map((setting) => {
    const { id, premium = false } = typeof setting === 'string' ? { id: setting } : setting;
    return { id, sampleRate, ...(premium ? ({ premium } as { premium: true }) : {}) };
  });
  const ids = new Set(voices.map(({ id }) => id));
  if (ids.size === 0 || ids.size < voices.length || ids.has('')) {
    throw new RangeError('The voices must be at least one, each with a name of its own (SVC_SPEECH_VOICES).');
  }
  return voices;
}
