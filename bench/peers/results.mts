import type { Figures } from './measures.mjs';

/** All figures of a bench, in chronological order. */
export class Results {
  readonly #runs = new Map<string, Figures[]>();
  readonly #failures = new Map<string, string[]>();

  add(player: string, measure: string, figures: Figures): void {
    const key = `${player} ${measure}`;
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), figures]);
  }

  /** Adds a failed run. */
  addFailure(player: string, measure: string, reason: string): void {
    const key = `${player} ${measure}`;
    this.#failures.set(key, [...(this.#failures.get(key) ?? []), reason]);
  }

  /** Returns the figures of each successful run. */
  runs(player: string, measure: string): readonly Figures[] {
    return this.#runs.get(`${player} ${measure}`) ?? [];
  }

  /** Returns the distinct reasons of failed runs. */
  failures(player: string, measure: string): string[] {
    return [...new Set(this.#failures.get(`${player} ${measure}`))];
  }

  /** Returns the highest value of a figure over the runs; null if there is none. */
  highest(player: string, measure: string, figure: string): number | null {
    const values = this.runs(player, measure).map((figures) => figures[figure] ?? NaN);
    return values.length === 0 ? null : Math.max(...values);
  }

  /**
   * Returns the median of a figure over the runs; null if there is none. For an even number of runs, the lower middle
   * value.
   */
  median(player: string, measure: string, figure: string): number | null {
    const values = this.runs(player, measure).map((figures) => figures[figure] ?? NaN);
    return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? null;
  }
}
