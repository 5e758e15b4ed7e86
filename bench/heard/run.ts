/**
 * Measures how well `utterance.heard` estimates the heard words: `npm run heard --prefix bench`.
 *
 * The embedded voices speak 50 texts of 1 to 6 sentences and report when each sound ends. There are 500 cancels at
 * random times. The error is the number of words by which the estimate differs from the words whose last sound had been
 * heard.
 *
 * "length known": all of the speech has been received, as from a service that is faster than real time. "pace learnt":
 * only the speech that has been heard was received, and two other utterances of the voice. "pace unknown": only the
 * former; also for the same voices with all times multiplied by 0.75 and 1.3, as if they spoke another language. The
 * rows "tuning" are of other texts, on which the estimate was tuned.
 */
import { FLITE_VOICES } from '../../service/src/speech/flite-voices.js';
import { QuietParts } from '../../src/connection/quiet-parts.js';
import { heardCharacters, type KnownSpeech } from '../../src/playback/heard-text.js';
import type { QuietPart } from '../../src/playback/pause-fit.js';
import { Random } from '../../src/testing/random.js';
import { show } from '../show.js';
import { rounded } from '../timing.js';
import { makeTexts, makeTuningTexts } from './texts.js';
import { type SpokenText, WordTimer } from './word-times.js';

const CANCELS = 500;

const timer = await WordTimer.load();

/** Returns the known quiet parts once `seconds` of the speech have been received. */
function quietUntil({ samples, sampleRate }: SpokenText, seconds: number): QuietPart[] {
  const found: QuietPart[] = [];
  const parts = new QuietParts((from, to) => found.push({ from: from / sampleRate, to: to / sampleRate }));
  parts.push(samples.subarray(0, Math.round(seconds * sampleRate)));
  return found;
}

/** Returns the error of the estimate at one moment, in words; negative: too few. */
function errorOf(spoken: SpokenText, seconds: number, isComplete: boolean, earlier: readonly KnownSpeech[]): number {
  const duration = isComplete ? spoken.seconds : null;
  const end = heardCharacters(spoken.text, seconds, duration, earlier, quietUntil(spoken, duration ?? seconds));
  const estimated = spoken.words.filter((word) => word.end <= end).length;
  return estimated - spoken.words.filter(({ at }) => at <= seconds).length;
}

/** Returns the same speech with all times multiplied by `factor`. */
function slowed(spoken: SpokenText, factor: number): SpokenText {
  const words = spoken.words.map(({ end, at }) => ({ end, at: at * factor }));
  return { ...spoken, words, seconds: spoken.seconds * factor, sampleRate: spoken.sampleRate / factor };
}

/** Measures one case. @param learnt - Number of other utterances of the voice that are known. */
function measure(name: string, texts: readonly SpokenText[], isComplete: boolean, learnt: number) {
  const random = new Random(5);
  const errors = Array.from({ length: CANCELS }, () => {
    const index = random.below(texts.length);
    const spoken = texts[index]!;
    const earlier = Array.from(
      { length: learnt },
      (_, step) => texts[(index + (step + 1) * FLITE_VOICES.length) % texts.length]!,
    );
    return errorOf(spoken, random.uniform(0, spoken.seconds), isComplete, earlier);
  });
  const share = (most: number): number =>
    rounded(errors.filter((error) => Math.abs(error) <= most).length / CANCELS, 3);
  return {
    name,
    'off by 0': share(0),
    'at most 1': share(1),
    'at most 2': share(2),
    'at most 3': share(3),
    largest: Math.max(...errors.map(Math.abs)),
    mean: rounded(errors.reduce((sum, error) => sum + error, 0) / CANCELS, 2),
  };
}

const speak = (texts: string[][]): SpokenText[] =>
  texts.map((sentences, index) => timer.speak(sentences.join(' '), FLITE_VOICES[index % FLITE_VOICES.length]));
const texts = speak(makeTexts());
const tuningTexts = speak(makeTuningTexts());
const results = [
  measure('length known', texts, true, 0),
  measure('pace learnt', texts, false, 2),
  measure('pace unknown', texts, false, 0),
  measure('tuning, length known', tuningTexts, true, 0),
  measure('tuning, pace learnt', tuningTexts, false, 2),
  measure('tuning, pace unknown', tuningTexts, false, 0),
];
const otherPaces = [0.75, 1.3].map((factor) =>
  measure(
    `pace unknown, times ${factor}`,
    texts.map((spoken) => slowed(spoken, factor)),
    false,
    0,
  ),
);
show('heard: words', [...results, ...otherPaces]);
if (results.some((result) => result['at most 1'] < 0.9 || result['at most 3'] < 0.99)) {
  console.error('90 % must be off by at most one word, and 99 % by at most three.');
  process.exitCode = 1;
}
