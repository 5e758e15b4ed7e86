import { createHash } from 'node:crypto';
import type { Queries } from '../store/database.js';
import { AccountError } from './account-error.js';

/** Hours for which the key of a request is known. */
export const KNOWN_HOURS = 24;

/** Deletes keys that are no longer known. */
export const PURGE_IDEMPOTENCY_KEYS = `
  delete from idempotency_key where hash in
    (select hash from idempotency_key where at <= svc_now() - interval '${KNOWN_HOURS} hours' for update skip locked)`;

/**
 * Does some work once for each key, and returns the first result for each repetition, on whichever node it arrives. A
 * repetition that arrives meanwhile waits. Work that fails leaves no key.
 *
 * See the IETF draft "The Idempotency-Key HTTP Header Field".
 *
 * @param queries - Queries of the transaction in which the work is done.
 * @param key - Chosen by the caller; without one, the work is done.
 * @param request - Name and parameters of the request. The key belongs to them.
 * @param work - Its result is stored, so it must hold no secret.
 * @throws {AccountError} If the key belongs to another request.
 */
export async function once<Result extends object>(
  queries: Queries,
  key: string | undefined,
  request: readonly unknown[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly isRepeated: boolean }> {
  if (key === undefined) return { result: await work(), isRepeated: false };
  const hash = sha256(key);
  const fingerprint = sha256(JSON.stringify(request));
  // The insert waits for a transaction with the same key. The next statement then sees its commit.
  const inserted = await queries.query(
    'insert into idempotency_key (hash, request) values ($1, $2) on conflict do nothing returning hash',
    [hash, fingerprint],
  );
  if (inserted.length > 0) {
    const result = await work();
    await queries.query('update idempotency_key set result = $2 where hash = $1', [hash, JSON.stringify(result)]);
    return { result, isRepeated: false };
  }
  const [known] = await queries.query<{ request: string; result: Result }>(
    'select request, result from idempotency_key where hash = $1',
    [hash],
  );
  if (known?.request === fingerprint) return { result: known.result, isRepeated: true };
  throw new AccountError(
    'The Idempotency-Key belongs to an earlier, different request: take a new key for each change.',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
