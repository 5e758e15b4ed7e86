import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AccountError } from '../account/account-error.js';
import { AvatarError } from '../avatar/avatar-error.js';
import type { Database } from '../store/database.js';
import { SecretError } from '../store/secret-versions.js';
import { StoreError } from '../store/store-error.js';
import { administratorOf } from './admin-authentication.js';
import type { AuditLog } from './audit.js';

/** Options of routes for the data. */
export interface DataOptions {
  readonly database: Database;
  readonly audit: AuditLog;
}

/** Errors of requests that cannot be carried out. The message is one line with the reason. */
const REFUSALS = [AccountError, AvatarError, SecretError, StoreError];

function isRefusal(error: unknown): error is Error & { readonly isMissing?: boolean; readonly isConflict?: boolean } {
  return REFUSALS.some((kind) => error instanceof kind);
}

/** Answers requests that cannot be carried out with the reason: 404 if something does not exist, 409, or 422. */
export function addRefusals(app: FastifyInstance): void {
  app.setErrorHandler(async (error, _request, reply) => {
    if (!isRefusal(error)) throw error;
    return reply.code(error.isMissing ? 404 : error.isConflict ? 409 : 422).send({ detail: error.message });
  });
}

/** Members of parameters and results that the audit log leaves out: secrets and large values. */
const UNRECORDED = ['key', 'secret', 'bundle'];

/**
 * Makes a change for the administrator that sent a request, and records it in the audit log.
 *
 * @param action - Name of the command line's command, such as `keys create`.
 * @param work - Makes the change. Returns one row, or a list of them.
 * @throws The error of `work`.
 */
export function changeData<Result extends object>(
  audit: AuditLog,
  request: FastifyRequest,
  action: string,
  parameters: object,
  work: () => Promise<Result>,
): Promise<Result> {
  const run = async () => {
    const result = await work();
    return { result, details: Array.isArray(result) ? { rows: result.map(recordable) } : recordable(result) };
  };
  return audit.record(administratorOf(request).actor, action, recordable(parameters), run, isRefusal);
}

function recordable(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !UNRECORDED.includes(name)));
}
