import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../clock.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { Queries } from '../store/database.js';
import { withTimeLimit } from './time-limit.js';

/** How long the database may take to answer, in ms; who asks whether we are ready rarely waits longer than some seconds. */
const DATABASE_LIMIT_MS = 1_000;

/** How long an answer of the database counts, in ms: anybody may ask, and should not keep it busy. */
const DATABASE_FRESH_MS = 1_000;

/** What health is made of. */
export interface HealthOptions {
  readonly engine: Pick<SpeechEngine, 'available'>;
  readonly database: Queries;
  /** Whether the service takes no new sockets because it is about to stop. */
  readonly isDraining: () => boolean;
  readonly clock?: Clock;
  /** Takes errors of the database. */
  readonly report: (error: unknown) => void;
}

/**
 * Adds `GET /healthz` and `GET /readyz`, which need no key and count towards no limit. Nothing below `/api/v1`.
 *
 * `/healthz` is for who would start the process anew: 503 only if the speech engine is broken, which does not mend
 * itself. `/readyz` is for who sends it traffic: 503 also while the database does not answer or cannot be
 * written to, and while the service is draining.
 */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  const { engine, isDraining } = options;
  const checkDatabase = createDatabaseCheck(options);

  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    return engine.available ? { status: 'ok' } : reply.code(503).send({ status: 'the speech engine is down' });
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
      .send({ status: ready ? 'ok' : 'not ready', checks });
  });
}

/** A standby, and a primary that was made read-only, both say `on`. */
const READ_ONLY = `select current_setting('transaction_read_only') as "readOnly"`;

type DatabaseState = 'ok' | 'down' | 'read-only';

/** Asks whether the database can be written to; those who ask at about the same time get the same answer. */
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
