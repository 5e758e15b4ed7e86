import type { Clock } from '../clock.js';
import type { Queries } from './database.js';

/** Interval between purges, in milliseconds. */
const PURGE_MS = 60_000;

/** Needs of {@link startPurges}. */
export interface PurgeOptions {
  readonly database: Queries;
  /** Statements that delete rows of no more use. Each must skip rows that others have locked. */
  readonly statements: readonly string[];
  readonly clock: Clock;
  /** Takes errors of the database; the next purge tries again. */
  readonly report: (error: unknown) => void;
}

/**
 * Runs statements once a minute, one after the other, in the background: no client waits for them.
 *
 * @returns Ends the purges, once the one that runs is done. More than once is harmless.
 */
export function startPurges({ database, statements, clock, report }: PurgeOptions): () => Promise<void> {
  let cancelNext: () => void;
  let running = Promise.resolve();
  const purge = async (): Promise<void> => {
    for (const statement of statements) await database.query(statement).catch(report);
  };
  const schedule = (): void => {
    cancelNext = clock.after(PURGE_MS, () => {
      running = running.then(purge);
      schedule();
    });
  };
  schedule();
  return () => {
    cancelNext();
    return running;
  };
}
