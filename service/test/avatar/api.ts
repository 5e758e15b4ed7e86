import Fastify, { type FastifyInstance } from 'fastify';
import { setCaller } from '../../src/api/caller.js';
import { addErrors } from '../../src/api/errors.js';
import { openDatabase } from '../support/open-database.js';
import type { Database } from '../../src/store/database.js';

/** Accounts of the tests. The API key of each is its id followed by `-key`. */
export const ACCOUNTS = ['owner', 'stranger'] as const;

/** Opens a database in memory that contains {@link ACCOUNTS}. */
export async function openStore(): Promise<Database> {
  const database = await openDatabase();
  for (const id of ACCOUNTS) await database.query("insert into account (id, plan) values ($1, 'none')", [id]);
  return database;
}

/**
 * Serves the routes under test with the service's error responses. A hook takes the account from the header `caller`.
 */
export function bareApi(add: (app: FastifyInstance) => Promise<void>): FastifyInstance {
  const app = Fastify();
  app.addHook('onRequest', async (request) => {
    const accountId = String(request.headers.caller);
    setCaller(request, { accountId, keyId: 'key', plan: 'none', balanceMs: 0, apiKey: `${accountId}-key` });
  });
  addErrors(app, (error) => {
    throw error;
  });
  void app.register(add);
  return app;
}
