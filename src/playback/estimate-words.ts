import { fitText, type KnownSpeech, lettersIn } from './heard-text.js';
import { type Fit, PAUSE_LETTERS, paceAfter, type QuietPart } from './pause-fit.js';

/**
 * Estimates when words are spoken, in the same way as `heardCharacters`: in order, with offsets in `text`.
 *
 * @param until - Words that begin later are left out.
 */
export function estimateWords(
  text: string,
  until: number,
  duration: number | null,
  earlier: readonly KnownSpeech[] = [],
  quiet: readonly QuietPart[] = [],
): { from: number; to: number; start: number; end: number }[] {
  const { words, begin, pace, fit } = fitText(text, until, duration, earlier, quiet);
  const fits: Fit[] = [];
  for (let one: Fit | null = fit; one; one = one.before) fits.unshift(one);
  // Where letters are spoken at known times: after the beginning and each pause, up to the next one.
  const spans = fits.map((one, index) => {
    const next = fits[index + 1];
    if (next) return { from: one, to: { letters: next.letters - PAUSE_LETTERS, seconds: next.from } };
    const letters = lettersIn(words);
    const seconds = duration === null ? one.seconds + (letters - one.letters) / paceAfter(one, pace) : duration - begin;
    return { from: one, to: { letters, seconds } };
  });
  const secondsAt = (letters: number): number => {
    const { from, to } = spans.findLast((span) => span.from.letters <= letters) ?? spans[0]!;
    const share = to.letters > from.letters ? (letters - from.letters) / (to.letters - from.letters) : 1;
    return begin + from.seconds + Math.min(1, share) * (to.seconds - from.seconds);
  };
  let letters = 0;
  const times = words.map((word) => {
    const start = secondsAt(letters);
    const end = secondsAt(letters + word.letters - 1e-6);
    letters += word.letters + word.pause;
    return { from: word.from, to: word.to, start, end: Math.max(start, end) };
  });
  return times.filter(({ start }) => start <= until);
}
