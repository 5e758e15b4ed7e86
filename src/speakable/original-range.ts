import type { Run } from './runs.js';

/** Returns the range of the original for which characters `from` to `to` are spoken. `from` < `to`. */
export function originalRange(runs: readonly Run[], from: number, to: number): { from: number; to: number } {
  let at = 0;
  let spokenAt = 0;
  let begin: number | null = null;
  for (const { original, spoken } of runs) {
    const isSame = original === spoken;
    if (begin === null && from < spokenAt + spoken.length) begin = isSame ? at + from - spokenAt : at;
    if (to <= spokenAt + spoken.length) return { from: begin!, to: isSame ? at + to - spokenAt : at + original.length };
    at += original.length;
    spokenAt += spoken.length;
  }
  return { from: begin ?? at, to: at };
}
