import type { Run } from './runs.js';

/** A part of a text: offset of its first character, and the offset after its last. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ranges of the original for which ranges of the speech are spoken. Takes linear time.
 *
 * @param ranges - In order, none of them empty.
 */
export function originalRanges(runs: readonly Run[], ranges: readonly TextRange[]): TextRange[] {
  let index = 0;
  /** Offsets of the run. */
  let at = 0;
  let spokenAt = 0;
  const next = (): void => {
    at += runs[index]!.original.length;
    spokenAt += runs[index]!.spoken.length;
    index++;
  };
  /** Goes to the run that has the character before a position. */
  const reach = (position: number): Run | undefined => {
    while (index < runs.length && spokenAt + runs[index]!.spoken.length < position) next();
    return runs[index];
  };
  return ranges.map(({ from, to }) => {
    const first = reach(from + 1);
    const begin = first && first.original === first.spoken ? at + from - spokenAt : at;
    const last = reach(to);
    if (!last) return { from: begin, to: at };
    return { from: begin, to: last.original === last.spoken ? at + to - spokenAt : at + last.original.length };
  });
}
