import type { FastifyInstance } from 'fastify';
import { systemClock, withTimeLimit, type Clock } from '../clock.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { Queries } from '../store/database.js';

/** Time limit for the database to answer, in ms. Readiness probes rarely wait longer than a few seconds. */
const DATABASE_LIMIT_MS = 1_000;

/** Time for which a result of the check is reused, in ms, so that frequent probes do not load the database. */
const DATABASE_FRESH_MS = 1_000;

/** Options of {@link addHealth}. */
export interface HealthOptions {
  readonly engine: Pick<SpeechEngine, 'available' | 'recovers' | 'parts'>;
  readonly database: Queries;
  /** Returns true if the service accepts no new sockets because it is about to stop. */
  readonly isDraining: () => boolean;
  readonly clock?: Clock;
  /** Receives errors of the database. */
  readonly report: (error: unknown) => void;
}

/**
 * Adds `GET /healthz` and `GET /readyz`. They need no key and count towards no limit, and are not below `/api/v1`.
 *
 * `/healthz` decides whether to restart the process: 503 only while the speech engine is unavailable and does not
 * recover by itself. `/readyz` decides whether to route traffic here: 503 while the speech engine is unavailable, the
 * database does not answer or is read-only, or the service is draining. With several engines, `engines` says which of them
 * can speak.
 */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  const { engine, isDraining } = options;
  const checkDatabase = createDatabaseCheck(options);

  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    return engine.available || engine.recovers
      ? { status: 'ok' }
      : reply.code(503).send({ status: 'the speech engine is down' });
  });

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const checks = {
      database: await checkDatabase(),
      speech: engine.available ? 'ok' : 'down',
      traffic: isDraining() ? 'draining' : 'ok',
    };
    const ready = Object.values(checks).every((check) => check === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'not ready', checks, ...(engine.parts && { engines: engine.parts }) });
  });
}

/** Query that returns `on` for a standby and for a primary in read-only mode. */
const READ_ONLY = `select current_setting('transaction_read_only') as "readOnly"`;

type DatabaseState = 'ok' | 'down' | 'read-only';

/** Creates a check of whether the database is writable. Calls within {@link DATABASE_FRESH_MS} share one result. */
function createDatabaseCheck({ clock = systemClock, database, report }: HealthOptions): () => Promise<DatabaseState> {
  let answer: Promise<DatabaseState> | undefined;
  let askedAt = 0;
  return () => {
    if (answer && clock.elapsed() - askedAt < DATABASE_FRESH_MS) return answer;
    askedAt = clock.elapsed();
    const asking = database.query<{ readOnly: string }>(READ_ONLY);
    answer = withTimeLimit(asking, DATABASE_LIMIT_MS, clock, 'Asking the database').then(
      ([row]) => (row?.readOnly === 'off' ? 'ok' : 'read-only'),
      (error: unknown) => {
        report(error);
        return 'down';
      },
    );
    return answer;
  };
}
