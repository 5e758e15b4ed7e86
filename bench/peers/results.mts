import type { Figures } from './measures.mjs';

/** All figures of a bench, in the order they came. */
export class Results {
  readonly #runs = new Map<string, Figures[]>();
  readonly #failures = new Map<string, string[]>();

  add(player: string, measure: string, figures: Figures): void {
    const key = `${player} ${measure}`;
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), figures]);
  }

  /** A run that came to nothing. */
  addFailure(player: string, measure: string, reason: string): void {
    const key = `${player} ${measure}`;
    this.#failures.set(key, [...(this.#failures.get(key) ?? []), reason]);
  }

  /** Figures of each run; none if it never ended well. */
  runs(player: string, measure: string): readonly Figures[] {
    return this.#runs.get(`${player} ${measure}`) ?? [];
  }

  /** Why runs failed, each reason once. */
  failures(player: string, measure: string): string[] {
    return [...new Set(this.#failures.get(`${player} ${measure}`))];
  }

  /** The highest value of a figure in any run; null if there is none. */
  highest(player: string, measure: string, figure: string): number | null {
    const values = this.runs(player, measure).map((figures) => figures[figure] ?? NaN);
    return values.length === 0 ? null : Math.max(...values);
  }

  /** The median of a figure over the runs; null if there is none. Of an even number the lower one. */
  median(player: string, measure: string, figure: string): number | null {
    const values = this.runs(player, measure).map((figures) => figures[figure] ?? NaN);
    return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? null;
  }
}
