import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { addNotFound } from '../api/errors.js';
import type { Clock } from '../clock.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import type { Database } from '../store/database.js';
import { addAccountRoutes } from './account-routes.js';
import { addActivityRoutes, addVoiceRoute } from './activity-routes.js';
import { addAdminAuthentication } from './admin-authentication.js';
import { AdminSessions } from './admin-sessions.js';
import { AdminToken } from './admin-token.js';
import { AuditLog } from './audit.js';
import { addAvatarAdminRoutes } from './avatar-routes.js';
import { addRefusals, type DataOptions } from './change-data.js';
import { addLoginRoute, addSessionRoutes } from './login-routes.js';
import { addPageRoutes } from './page-routes.js';

/** Headers of every answer of the admin API: no caching, and nothing in it may run if a browser shows it as a page. */
const API_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/** Headers of every answer below `/admin`. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Options of {@link addDashboard}. */
export interface DashboardOptions {
  /** The token that administrators send. */
  readonly adminToken: string;
  readonly clock: Clock;
  readonly database: Database;
  readonly engine: Pick<SpeechEngine, 'voices'>;
  readonly log: FastifyBaseLogger;
  /** Address of the service for clients; `null` if not configured. */
  readonly publicUrl: URL | null;
}

/** Adds the dashboard and the admin API, below `/admin`. */
export async function addDashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { adminToken, database, log, publicUrl } = options;
  const audit = new AuditLog(database, log);
  const token = new AdminToken(adminToken, audit, database, options.clock);
  const sessions = new AdminSessions(database, adminToken);
  const login = { token, sessions, audit, publicUrl };
  app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
  addPageRoutes(app);
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (_request, reply) => void reply.headers(API_HEADERS));
      addRefusals(api);
      addLoginRoute(api, login);
      await api.register(async (scope) => {
        addAdminAuthentication(scope, { token, sessions });
        addNotFound(scope);
        addSessionRoutes(scope, login);
        addDataRoutes(scope, { database, audit });
        addVoiceRoute(scope, options.engine.voices);
      });
    },
    { prefix: '/api' },
  );
}

/** Adds the routes for the data. The scope must know the administrator. */
export function addDataRoutes(app: FastifyInstance, options: DataOptions): void {
  addAccountRoutes(app, options);
  addAvatarAdminRoutes(app, options);
  addActivityRoutes(app, options);
}
