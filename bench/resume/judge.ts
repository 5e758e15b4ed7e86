import { TONE_SHARE, TONES, WORD_SECONDS } from './tone-engine.js';

/** Amplitude of sound. */
const LOUD = 1500;
/** Longest quiet within a tone, in seconds. */
const QUIET_SECONDS = 0.012;
/** A word is whole if this share of its tone is heard, and a fragment if more than this many seconds of it are. */
const WHOLE = 0.85;
const FRAGMENT_SECONDS = 0.012;

/** The words of a text that were heard. */
export interface Verdict {
  /** Each word whole, once and in order. */
  readonly isRight: boolean;
  readonly missing: number;
  readonly repeated: number;
  /** Words that were begun and not heard to their end. */
  readonly fragments: number;
}

/**
 * Finds the words in a recording.
 *
 * @param words - Number of words of the text; null if only repetitions count, because the text was not spoken to its end.
 * @param broken - The word that was begun again; -1 if none was. What was heard of its first part is a fragment.
 */
export function judge(samples: Int16Array, sampleRate: number, words: number | null, broken: number): Verdict {
  const whole: number[] = [];
  let fragments = 0;
  for (const { word, seconds } of joined(tonesIn(samples, sampleRate), broken)) {
    if (seconds >= WHOLE * WORD_SECONDS * TONE_SHARE) whole.push(word);
    else if (seconds > FRAGMENT_SECONDS) fragments++;
  }
  if (whole.filter((word) => word === broken).length > 1) {
    whole.splice(whole.indexOf(broken), 1);
    fragments++;
  }
  const different = new Set(whole);
  const missing = words === null ? 0 : words - different.size;
  const repeated = whole.length - different.size;
  const isInOrder = whole.every((word, index) => index === 0 || word > whole[index - 1]!);
  return { isRight: missing === 0 && repeated === 0 && isInOrder, missing, repeated, fragments };
}

interface Tone {
  readonly word: number;
  readonly seconds: number;
}

/** Joins the parts of a word in which the speech stalled: only the broken word is begun again. */
function joined(tones: readonly Tone[], broken: number): Tone[] {
  const words: Tone[] = [];
  for (const tone of tones) {
    const last = words.at(-1);
    if (last?.word !== tone.word || tone.word === broken) words.push(tone);
    else words[words.length - 1] = { word: tone.word, seconds: last.seconds + tone.seconds };
  }
  return words;
}

function tonesIn(samples: Int16Array, sampleRate: number): Tone[] {
  const tones: Tone[] = [];
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at]!) < LOUD) continue;
    let end = at;
    for (let i = at; i - end < QUIET_SECONDS * sampleRate && i < samples.length; i++) {
      if (Math.abs(samples[i]!) >= LOUD) end = i;
    }
    let crossings = 0;
    for (let i = at + 1; i <= end; i++) if (samples[i - 1]! < 0 !== samples[i]! < 0) crossings++;
    const frequency = (crossings * sampleRate) / 2 / Math.max(1, end - at);
    const distances = TONES.map((tone) => Math.abs(tone - frequency));
    tones.push({ word: distances.indexOf(Math.min(...distances)), seconds: (end - at) / sampleRate });
    at = end;
  }
  return tones;
}
