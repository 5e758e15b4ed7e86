import type { Voice } from './speech-engine.js';

/** A voice as an operator configures it: its id, or its id with its language and whether it is a premium voice. */
export type VoiceSetting = string | { readonly id: string; readonly language?: string; readonly premium?: boolean };

/** Languages of Kokoro's voices, by the first letter of names such as `ff_siwis`. Other letters mean English. */
const KOKORO: Readonly<Record<string, string>> = { e: 'es', f: 'fr', h: 'hi', i: 'it', j: 'ja', p: 'pt-BR', z: 'zh' };

/**
 * Creates voices that all have the same rate.
 *
 * @param settings - At least one; the first one is the default.
 * @param sampleRate - Rate of the voices, in Hz.
 * @param languageOf - Returns the language that the name of a voice tells.
 * @throws {RangeError} If there is no voice, a voice without an id, or a duplicate.
 */
export function listVoices(
  settings: readonly VoiceSetting[],
  sampleRate: number,
  languageOf: (id: string) => string | undefined,
): Voice[] {
  const voices = settings.map((setting): Voice => {
    const { id, premium = false, language = languageOf(id) } = typeof setting === 'string' ? { id: setting } : setting;
    return {
      id,
      sampleRate,
      ...(language !== undefined && !isEnglish(language) && { language }),
      ...(premium && { premium: true }),
    };
  });
  const ids = new Set(voices.map(({ id }) => id));
  if (ids.size === 0 || ids.size < voices.length || ids.has('')) {
    throw new RangeError('The voices must be at least one, each with a name of its own (SVC_SPEECH_VOICES).');
  }
  return voices;
}

function isEnglish(language: string): boolean {
  return /^en(?:$|[-_+])/i.test(language);
}

/** Returns the language of a voice that is named like Kokoro's or Piper's: `ff_siwis`, `de_DE-thorsten-low`. */
export function languageOfModel(id: string): string | undefined {
  if (/^[a-z][fm]_/.test(id)) return KOKORO[id[0]!];
  return /^[a-z]{2,3}[-_][A-Z]{2}(?![A-Za-z0-9])/.exec(id)?.[0].replace('_', '-');
}
