/** A length of speech, pauses included: the letters of its text, and seconds. */
export interface Spoken {
  readonly letters: number;
  readonly seconds: number;
}

/** A punctuation mark: the number of letters and of words before it. */
export interface Mark {
  readonly letters: number;
  readonly words: number;
}

/** A quiet part of speech, in seconds from its beginning. */
export interface QuietPart {
  readonly from: number;
  readonly to: number;
}

/** An assignment of pauses to marks. Letters, seconds, words and pauses are those up to the end of the last pause. */
export interface Fit extends Spoken {
  readonly words: number;
  readonly pauses: number;
  /** Begin of the last pause, and the fit before it; null at the beginning. */
  readonly from: number;
  readonly before: Fit | null;
  /** Sum of the squared deviations from the expected times, and of the costs below. */
  readonly cost: number;
}

/** Usual pause at a punctuation mark, in letters. */
export const PAUSE_LETTERS = 3;
/** Standard deviation of the time between two marks: seconds, plus a share of the expected time. */
const DEVIATION_SECONDS = 0.1;
const DEVIATION_SHARE = 0.2;
/** Cost of a mark without a pause, and of a second of pause without a mark. */
const MARK_COST = 2;
const SECOND_COST = 15;
/** A pause that comes more than this many deviations after a mark does not belong to it. */
const MOST_DEVIATIONS = 4;
/** Number of fits that are continued at each mark. */
const MOST_FITS = 8;

/** Returns the pace after a fit, in letters per second. @param before - The expected pace, with its weight. */
export function paceAfter(fit: Spoken, before: Spoken): number {
  return (before.letters + fit.letters) / (before.seconds + fit.seconds);
}

/**
 * Finds the likeliest assignment of pauses to punctuation marks: a beam search over the marks. Pure.
 *
 * @param marks - In order.
 * @param pauses - Those that began before `now`, in order.
 * @param now - Seconds that have been heard.
 * @param before - The expected pace, with its weight.
 */
export function fitPauses(marks: readonly Mark[], pauses: readonly QuietPart[], now: number, before: Spoken): Fit {
  let fits: Fit[] = [{ letters: 0, seconds: 0, words: 0, pauses: 0, from: 0, before: null, cost: 0 }];
  /** Fits whose next mark has not been reached. */
  const found: Fit[] = [];
  for (const { letters, words } of marks) {
    const next: Fit[] = [];
    for (const fit of fits) {
      const expected = (letters - fit.letters) / paceAfter(fit, before);
      const deviations = (at: number): number =>
        (at - fit.seconds - expected) / (DEVIATION_SECONDS + DEVIATION_SHARE * expected);
      if (deviations(now) < 0) found.push(fit);
      else next.push({ ...fit, cost: fit.cost + MARK_COST });
      for (let index = fit.pauses; index < pauses.length; index++) {
        const { from, to } = pauses[index]!;
        const late = deviations(from);
        if (late > MOST_DEVIATIONS) break;
        const cost = fit.cost + late ** 2 - SECOND_COST * (to - from);
        next.push({ letters: letters + PAUSE_LETTERS, seconds: to, words, pauses: index + 1, from, before: fit, cost });
      }
    }
    fits = next.sort((one, other) => one.cost - other.cost).slice(0, MOST_FITS);
  }
  return [...found, ...fits].reduce((best, fit) => (fit.cost < best.cost ? fit : best));
}
