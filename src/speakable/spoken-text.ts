import type { Run } from './runs.js';

/** Appends a run. Joins it with the last one if what is spoken for both is the same, or nothing. */
export function appendRun(runs: Run[], original: string, spoken: string): void {
  if (original === '' && spoken === '') return;
  const last = runs.at(-1);
  const isSame = original === spoken;
  if (last && ((isSame && last.original === last.spoken) || (spoken === '' && last.spoken === ''))) {
    runs[runs.length - 1] = { original: last.original + original, spoken: last.spoken + spoken };
  } else runs.push({ original, spoken });
}

/**
 * Divides runs where `count` characters have been spoken. What is spoken for nothing after that belongs to the second
 * part.
 */
export function splitRuns(runs: readonly Run[], count: number): [Run[], Run[]] {
  const head: Run[] = [];
  let left = count;
  for (const [index, { original, spoken }] of runs.entries()) {
    if (left === 0) return [head, runs.slice(index)];
    if (spoken.length > left) {
      // A replacement is not divided: its first part stands for all of it.
      const cut = original === spoken ? left : original.length;
      appendRun(head, original.slice(0, cut), spoken.slice(0, left));
      return [head, [{ original: original.slice(cut), spoken: spoken.slice(left) }, ...runs.slice(index + 1)]];
    }
    appendRun(head, original, spoken);
    left -= spoken.length;
  }
  return [head, []];
}

/**
 * Returns the position in the original up to which it was spoken, when `count` characters were. A replacement counts
 * once all of it was spoken.
 */
export function originalPosition(runs: readonly Run[], count: number): number {
  let at = 0;
  let end = 0;
  let left = count;
  for (const { original, spoken } of runs) {
    if (spoken.length > left) return original === spoken && left > 0 ? at + left : end;
    left -= spoken.length;
    at += original.length;
    if (spoken !== '') end = at;
  }
  return at;
}

/** Returns the position in what is spoken for a position in the original: the first that is not before it. */
export function spokenPosition(runs: readonly Run[], position: number): number {
  let at = 0;
  let left = position;
  for (const { original, spoken } of runs) {
    if (left < original.length) return original === spoken ? at + left : left === 0 ? at : at + spoken.length;
    left -= original.length;
    at += spoken.length;
  }
  return at;
}

/** Returns false if the text has only spaces and marks, such as the dots of an ellipsis. */
export function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text);
}
