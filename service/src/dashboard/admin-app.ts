import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { addErrors, answerMalformed } from '../api/errors.js';
import { literalUrl } from '../api/literal-url.js';
import type { Database } from '../store/database.js';
import { addDataRoutes } from './add-dashboard.js';
import { addLocalAdministrator } from './admin-authentication.js';
import { AuditLog } from './audit.js';
import { addRefusals } from './change-data.js';
import { addOperatorRoutes } from './operator-routes.js';

/** Options of {@link createAdminApp}. */
export interface AdminAppOptions {
  readonly database: Database;
  /** Receives a line for each change. */
  readonly log?: FastifyBaseLogger | undefined;
  /** Key of LiveKit in the environment, if it signs the room tokens. */
  readonly livekitKey?: string | undefined;
  /** Receives errors of the service, as opposed to errors of a client. */
  readonly report: (error: unknown) => void;
  /** Maximum time in which a client must send its request or read its answer, in ms; 10 s by default. */
  readonly clientMs?: number;
}

/**
 * Creates the server of the admin API for the command line. It needs no token: every request is one of an administrator.
 * So it must listen only where nobody else can connect, or not at all.
 *
 * The routes are added once it is ready, after hooks that the caller adds at once.
 */
export function createAdminApp({ database, log, livekitKey, report, clientMs = 10_000 }: AdminAppOptions) {
  const audit = new AuditLog(database, log);
  const app: FastifyInstance = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    clientErrorHandler: answerMalformed,
    connectionTimeout: clientMs,
    rewriteUrl: literalUrl,
    routerOptions: { maxParamLength: 65_536 },
  });
  addErrors(app, report);
  void app.register(
    async (api) => {
      addRefusals(api);
      addLocalAdministrator(api);
      api.setNotFoundHandler(async (_request, reply) =>
        reply.code(404).send({
          detail:
            'The running service does not know this command: it may be of another version. Restart it with this version.',
        }),
      );
      addDataRoutes(api, { database, audit });
      addOperatorRoutes(api, { database, audit, livekitKey });
    },
    { prefix: '/admin/api' },
  );
  return app;
}
