import { randomBytes } from 'node:crypto';
import type { Database, Queries } from './database.js';

/** The secrets that sign tokens. All nodes of a database share them. */
export const SECRET_NAMES = ['session-token', 'room-token'] as const;

/** Name of a secret. */
export type SecretName = (typeof SECRET_NAMES)[number];

/**
 * Time for which a replaced version is still accepted. It exceeds the sum of the longest lifetime of a token (1 hour),
 * the minute until all nodes sign with the new version, and the difference between the clocks of two nodes.
 */
const OVERLAP = "interval '2 hours'";

/**
 * Time from the rotation of a secret until nodes sign with it. Nodes find a new version in the database by its `kid`,
 * but an operator has to enter the key of room tokens into the LiveKit server.
 */
const LEAD: Readonly<Record<SecretName, string>> = {
  'session-token': "interval '0'",
  'room-token': "interval '1 hour'",
};

/** `kid` of a secret from before secrets had versions. Tokens issued at that time have no `kid`. */
export const INITIAL_KID = 'initial';

/** Deletes versions that are no longer accepted. */
export const PURGE_SECRETS = `
  delete from secret where (name, kid) in
    (select name, kid from secret where expires_at <= svc_now() for update skip locked)`;

/** One version of a secret. */
export interface SecretVersion {
  /** Identifier in the header of a JWT; for room tokens also the API key of LiveKit. */
  readonly kid: string;
  readonly value: string;
}

/** Accepted versions of a secret. */
export interface SecretVersions {
  /** The version to sign with. */
  readonly newest: SecretVersion;
  readonly byKid: ReadonlyMap<string, SecretVersion>;
}

/** Description of a version without its value. */
export interface SecretRow {
  readonly name: SecretName;
  readonly kid: string;
  /** Start of signing. */
  readonly signs_at: Date;
  /** End of acceptance; `null` until a rotation replaces the version. */
  readonly expires_at: Date | null;
}

/** Error for a rotation that is not possible. The message is one line that gives the reason. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Reads the accepted versions of a secret. Creates the first one if needed; nodes that start together share it. */
export async function readSecret(queries: Queries, name: SecretName): Promise<SecretVersions> {
  const read = () =>
    queries.query<SecretVersion & { signs: boolean }>(
      `select kid, value, signs_at <= svc_now() as signs from secret
        where name = $1 and (expires_at is null or expires_at > svc_now())
        order by signs_at desc, expires_at desc nulls first`,
      [name],
    );
  let rows = await read();
  if (!rows.some(({ signs }) => signs)) {
    await queries.query('insert into secret (name, kid, value) values ($1, $2, $3) on conflict do nothing', [
      name,
      ...makeVersion(),
    ]);
    rows = await read();
  }
  return {
    newest: rows.find(({ signs }) => signs) ?? rows[0]!,
    byKid: new Map(rows.map((row) => [row.kid, row])),
  };
}

/**
 * Replaces the version of each secret by a new one. Other versions stay accepted for the overlap, or are deleted.
 *
 * @param isLeaked - True to sign with the new version at once and delete all others.
 * @returns The new versions; the one of room tokens includes its value, which LiveKit needs.
 * @throws {SecretError} If a secret is not in the store, or its last rotation has not taken effect yet. Then none is
 *   rotated.
 */
export async function rotateSecrets(
  database: Database,
  names: readonly SecretName[],
  isLeaked: boolean,
): Promise<(SecretRow & { readonly secret?: string })[]> {
  return await database.transaction(async (queries) => {
    const rotated = [];
    for (const name of names) rotated.push(await rotate(queries, name, isLeaked));
    return rotated;
  });
}

async function rotate(
  queries: Queries,
  name: SecretName,
  isLeaked: boolean,
): Promise<SecretRow & { readonly secret?: string }> {
  // Rotations of one secret wait for each other here. The next statement sees the result of the previous rotation.
  await queries.query('select from secret where name = $1 for update', [name]);
  const [current] = await queries.query<SecretRow & { signs: boolean }>(
    'select kid, signs_at, signs_at <= svc_now() as signs from secret where name = $1 and expires_at is null',
    [name],
  );
  if (!current) throw new SecretError(describeAbsence(name));
  if (isLeaked) {
    await queries.query('delete from secret where name = $1', [name]);
  } else if (current.signs) {
    await queries.query(
      `update secret set expires_at = svc_now() + ${LEAD[name]} + ${OVERLAP} where name = $1 and expires_at is null`,
      [name],
    );
  } else {
    throw new SecretError(
      `${name} cannot be rotated: its new version ${current.kid} does not sign before ` +
        `${current.signs_at.toISOString()}. Wait until then, or add --leaked to replace all versions at once.`,
    );
  }
  const [kid, value] = makeVersion();
  const [row] = await queries.query<SecretRow>(
    `insert into secret (name, kid, value, signs_at) values ($1, $2, $3, svc_now() + ${isLeaked ? "interval '0'" : LEAD[name]})
     returning name, kid, signs_at, expires_at`,
    [name, kid, value],
  );
  return name === 'room-token' ? { ...row!, secret: value } : row!;
}

/** Lists the versions of all secrets, without their values. */
export async function listSecrets(queries: Queries): Promise<SecretRow[]> {
  return await queries.query<SecretRow>(
    `select name, kid, signs_at, expires_at from secret order by name collate "C", signs_at, expires_at nulls last`,
  );
}

/** Returns a `kid`, also an API key of LiveKit, and 256 random bits: LiveKit warns about fewer than 32 characters. */
function makeVersion(): [kid: string, value: string] {
  return [`svc${randomBytes(9).toString('hex')}`, randomBytes(32).toString('base64url')];
}

function describeAbsence(name: SecretName): string {
  const elsewhere =
    name === 'room-token'
      ? ' If its nodes have SVC_LIVEKIT_KEY, the secret is in their environment: change it there.'
      : '';
  return `${name} cannot be rotated: the store has no such secret. The first start of the service makes it.${elsewhere}`;
}
