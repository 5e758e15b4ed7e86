import type { Clock } from '../clock.js';
import type { Queries } from './database.js';

/** Interval between purges, in milliseconds. */
const PURGE_MS = 60_000;

/** Options of {@link startPurges}. */
export interface PurgeOptions {
  readonly database: Queries;
  /** Statements that delete obsolete rows. Each must skip locked rows. */
  readonly statements: readonly string[];
  readonly clock: Clock;
  /** Receives errors of the database; the next purge tries again. */
  readonly report: (error: unknown) => void;
}

/**
 * Runs statements once a minute, one after the other, in the background: no client waits for them.
 *
 * @returns A function that stops the purges and resolves once the running one is done. May be called more than once.
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
