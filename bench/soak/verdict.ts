import { rounded } from '../timing.js';
import { growthOf } from './growth.js';
import type { Reading } from './soaked-page.js';

type Quantity = Exclude<keyof Reading, 'at'>;

/** When a quantity has grown. */
interface Rule {
  /** Growth over the run that counts as none: caches are filled even after hours. */
  readonly allowed: number;
  /** Upper limit of each reading. */
  readonly most?: number;
}

const RULES: Record<Quantity, Rule> = {
  'page objects, kB': { allowed: 60 },
  'worker objects, kB': { allowed: 30 },
  'page process, MB': { allowed: 12 },
  'other processes, MB': { allowed: 40 },
  handles: { allowed: 6 },
  'DOM nodes': { allowed: 2 },
  listeners: { allowed: 2 },
  contexts: { allowed: 0.5, most: 1 },
  'closed contexts': { allowed: 1 },
  workers: { allowed: 0.5, most: 1 },
  sockets: { allowed: 0, most: 0 },
};

/** Share of the readings at the start that are left out: code is loaded and caches are filled then. */
const WARM_UP = 0.25;

/** A line of the table. */
export interface VerdictRow {
  readonly quantity: string;
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** Growth after the warm-up, from the least-squares line. */
  readonly growth: number;
  readonly noise: number;
  readonly allowed: number;
  readonly isFault: boolean;
}

/** Judges the readings of a run. A quantity has grown if its growth is beyond the noise and beyond what is allowed. */
export function rowsOf(readings: readonly Reading[]): VerdictRow[] {
  const judged = readings.slice(Math.floor(WARM_UP * readings.length));
  return (Object.entries(RULES) as [Quantity, Rule][])
    .filter(([quantity]) => judged.every((reading) => !Number.isNaN(reading[quantity])))
    .map(([quantity, { allowed, most = Infinity }]) => {
      const values = judged.map((reading) => reading[quantity]);
      const { growth, noise } =
        judged.length < 3
          ? { growth: 0, noise: 0 }
          : growthOf(
              judged.map(({ at }) => at),
              values,
            );
      const maximum = Math.max(...readings.map((reading) => reading[quantity]));
      return {
        quantity,
        first: rounded(values[0] ?? Number.NaN, 1),
        last: rounded(values.at(-1) ?? Number.NaN, 1),
        most: rounded(maximum, 1),
        growth: rounded(growth, 2),
        noise: rounded(noise, 2),
        allowed,
        isFault: (growth > noise && growth > allowed) || maximum > most,
      };
    });
}
