/**
 * Measures how well `utterance.heard` estimates the heard words: `npm run heard --prefix bench`. Prints a table, then
 * the same as JSON.
 *
 * The embedded voices speak 50 texts of 1 to 6 sentences and report when each sound ends. There are 500 cancels at
 * random times. The error is the number of words by which the estimate differs from the words whose last sound had been
 * heard.
 *
 * "length known": all of the speech has been received, as from a service that is faster than real time. "pace learnt":
 * it has not been received, but two other utterances of the voice have. "pace unknown": only the text is known.
 */
import { FLITE_VOICES } from '../../service/src/speech/flite-voices.js';
import { heardCharacters } from '../../src/playback/heard-text.js';
import { Random } from '../../src/testing/random.js';
import { rounded } from '../timing.js';
import { makeTexts } from './texts.js';
import { type SpokenText, WordTimer } from './word-times.js';

const CANCELS = 500;

const timer = await WordTimer.load();
const texts = makeTexts().map((sentences, index) =>
  timer.speak(sentences.join(' '), FLITE_VOICES[index % FLITE_VOICES.length]),
);

/** Returns the error of the estimate at one moment, in words; negative: too few. */
function errorOf(spoken: SpokenText, seconds: number, duration: number | null, earlier: readonly SpokenText[]): number {
  const end = heardCharacters(spoken.text, seconds, duration, earlier);
  const estimated = spoken.words.filter((word) => word.end <= end).length;
  return estimated - spoken.words.filter(({ at }) => at <= seconds).length;
}

/** Returns the known facts about a text: the length of its speech in seconds, and earlier speech. */
type Knowledge = (spoken: SpokenText) => { readonly duration: number | null; readonly earlier: readonly SpokenText[] };

const cases: Record<string, Knowledge> = {
  'length known': ({ seconds }) => ({ duration: seconds, earlier: [] }),
  'pace learnt': (spoken) => ({
    duration: null,
    earlier: [1, 2].map((steps) => texts[(texts.indexOf(spoken) + steps * FLITE_VOICES.length) % texts.length]!),
  }),
  'pace unknown': () => ({ duration: null, earlier: [] }),
};

const results = Object.entries(cases).map(([name, knowledge]) => {
  const random = new Random(5);
  const errors = Array.from({ length: CANCELS }, () => {
    const spoken = texts[random.below(texts.length)]!;
    const { duration, earlier } = knowledge(spoken);
    return errorOf(spoken, random.uniform(0, spoken.seconds), duration, earlier);
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
});
console.table(results);
console.log(JSON.stringify({ heard: results }));
const [known] = results;
if (known!['at most 1'] < 0.9 || known!['at most 3'] < 0.99) {
  console.error('With a known length, 90 % must be off by at most one word, and 99 % by at most three.');
  process.exitCode = 1;
}
