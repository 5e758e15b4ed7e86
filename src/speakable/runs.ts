/** A part of a text, and what is spoken for it: the same, nothing, or something else. */
export interface Run {
  readonly original: string;
  readonly spoken: string;
}

/** Returns the text of which these are the runs. */
export function originalOf(runs: readonly Run[]): string {
  return runs.map(({ original }) => original).join('');
}

/** Returns what is spoken. */
export function spokenOf(runs: readonly Run[]): string {
  return runs.map(({ spoken }) => spoken).join('');
}
