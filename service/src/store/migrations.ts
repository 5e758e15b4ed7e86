import { setTimeout } from 'node:timers/promises';
import { DatabaseError, type Database, type Queries } from './database.js';
import { StoreError } from './store-error.js';

/** Advisory lock under which nodes that start together migrate one after the other. The number is arbitrary. */
const LOCK = 7_311_860_117;

/** Interval between two attempts to take a lock, in milliseconds. */
const POLL_MS = 100;

/**
 * Time for which a migration waits for the lock of a table, in milliseconds. The statements of other nodes queue behind
 * it, so it then lets them pass and tries again.
 */
const LOCK_LIMIT_MS = 2000;

/** SQLSTATE of a statement that did not get a lock in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * All changes of the schema, in order. Append only: never change a published entry.
 *
 * All times come from the database, through `svc_now()`, so nodes need no synchronized clocks, and tests can replace
 * it. Amounts are in milliseconds of an open socket; a credit has 1000. For every account, at all times: `balance_ms =
 * sum(ledger.amount_ms)`, and its unexpired leases reserve at most `balance_ms`.
 *
 * Rows that each heartbeat changes are in pages that are less than half full (`fillfactor`), and the changed columns
 * are in no index. So the new version of a row fits beside the old one, and the space of old versions is reused without
 * a vacuum. Otherwise 3000 sockets would leave 500 kB of dead rows per heartbeat.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create function svc_now() returns timestamptz language sql volatile as 'select clock_timestamp()'`,
    // One per user, with the same id.
    `create table account (
       id text primary key,
       plan text not null check (plan in ('none', 'starter', 'pro')),
       balance_ms bigint not null default 0 check (balance_ms >= 0),
       created_at timestamptz not null default svc_now()
     ) with (fillfactor = 45)`,
    // Only hashes of keys are stored. `lookup` is the beginning of the hash: the time to find a row depends on it.
    `create table api_key (
       id text primary key,
       account_id text not null references account,
       lookup text not null,
       hash bytea not null unique,
       from_environment boolean not null default false,
       created_at timestamptz not null default svc_now(),
       revoked_at timestamptz
     )`,
    `create index api_key_lookup on api_key (lookup)`,
    // One row per grant (amount 0 or more) and one per socket (0 or less), which changes while the socket is open.
    `create table ledger (
       id bigint generated always as identity primary key,
       account_id text not null references account,
       kind text not null check (kind in ('grant', 'usage')),
       amount_ms bigint not null check (case kind when 'grant' then amount_ms >= 0 else amount_ms <= 0 end),
       session_id text unique,
       node text,
       created_at timestamptz not null default svc_now(),
       updated_at timestamptz not null default svc_now()
     ) with (fillfactor = 45)`,
    `create index ledger_account on ledger (account_id)`,
    // One row per open socket. The row of a dead node is past `expires_at` and does not count.
    `create table lease (
       session_id text primary key,
       account_id text not null references account,
       key_id text not null references api_key,
       node text not null,
       holds_slot boolean not null,
       expires_at timestamptz not null
     ) with (fillfactor = 45)`,
    `create index lease_account on lease (account_id)`,
    `create table used_token (id text primary key, expires_at timestamptz not null)`,
    `create table rate_window (client text primary key, hits integer not null, ends_at timestamptz not null)`,
    // Secrets that all nodes share: the key that signs session tokens, and those of room tokens.
    `create table secret (name text primary key, value text not null)`,
    `create table avatar (
       id text primary key,
       owner text not null references account,
       is_public boolean not null,
       status text not null check (status in ('processing', 'available', 'disabled')),
       name text not null,
       revision bigint not null,
       bundle text not null,
       created_at timestamptz not null default svc_now()
     )`,
  ],
  [
    // One row per named room, kept for a day after its last token.
    `create table room (
       name text primary key,
       account_id text not null references account,
       used_at timestamptz not null
     )`,
    `create index room_used on room (used_at)`,
  ],
  [
    // Secrets get versions. The version without `expires_at` is the last one; it signs from `signs_at` on.
    `alter table secret add column kid text, add column expires_at timestamptz,
       add column signs_at timestamptz not null default svc_now()`,
    `update secret set kid = 'initial'`,
    `update secret set name = 'room-token', kid = (select value from secret where name = 'livekit-key')
      where name = 'livekit-secret'`,
    `delete from secret where name = 'livekit-key'`,
    `alter table secret drop constraint secret_pkey, add primary key (name, kid)`,
    `create unique index secret_last on secret (name) where expires_at is null`,
  ],
  [
    // Credit that the lease's socket may use before the next charge. Unexpired leases reserve at most the balance.
    `alter table lease add column reserved_ms bigint not null default 0 check (reserved_ms >= 0)`,
  ],
  [
    // A row of kind `balance` replaces all old rows of an account.
    `alter table ledger drop constraint ledger_kind_check, drop constraint ledger_check, add constraint ledger_kind_check
       check (case kind when 'grant' then amount_ms >= 0 when 'usage' then amount_ms <= 0 else kind = 'balance' end)`,
  ],
  [
    // One row per browser that is logged in at the dashboard.
    `create table admin_session (
       id text primary key,
       name text not null,
       expires_at timestamptz not null
     )`,
    // One row per change by an administrator, and per refused login. Without an outcome, its process ended meanwhile.
    `create table audit (
       id bigint generated always as identity primary key,
       at timestamptz not null default svc_now(),
       via text not null check (via in ('command', 'api', 'dashboard')),
       name text not null,
       client text,
       action text not null,
       details jsonb not null,
       outcome text check (outcome in ('done', 'refused', 'failed'))
     )`,
    `create index audit_at on audit (at)`,
  ],
  [
    // One row per Idempotency-Key of the last day. `request` is a hash, too. Without a result, its transaction runs.
    `create table idempotency_key (
       hash text primary key,
       at timestamptz not null default svc_now(),
       request text not null,
       result jsonb
     )`,
  ],
  [
    // Version of the oldest service that can use the tables of this version.
    `alter table migration add column minimum integer`,
  ],
];

/** Versions whose tables a service of an earlier version cannot use. Other versions only add to them. */
const INCOMPATIBLE: readonly number[] = [1, 3, 4, 5];

/** Version that added the column `minimum`. */
const MINIMUM_SINCE = 8;

/** Indexes of tables that may already be large. They are built after the migrations, while other nodes write. */
const INDEXES = [
  { since: 5, create: 'create unique index', name: 'ledger_balance', on: `ledger (account_id) where kind = 'balance'` },
  // For usage by day. The columns that a heartbeat changes in the ledger are still in no index.
  { since: 6, create: 'create index', name: 'ledger_created', on: 'ledger (created_at)' },
] as const;

/** Creates the table of the applied migrations. */
const CREATE_VERSIONS = 'create table if not exists migration (version integer primary key)';

/** Version of the schema that this service supports. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Migrates the schema to the current version. Nodes that start together migrate one after the other. Other nodes work
 * meanwhile: each migration has a transaction of its own, and the indexes of large tables are built concurrently.
 *
 * @param database - Has one connection, which keeps the lock.
 * @param last - Version to stop at; the newest by default. Tests create older schemas with it.
 * @returns The version of the schema afterwards, which is above `last` if it is of a newer service.
 * @throws {StoreError} If this service cannot use the schema, because it is of a newer one.
 */
export async function migrate(database: Database, last = SCHEMA_VERSION): Promise<number> {
  // It does not wait within a statement: the build of an index waits for the end of all statements before it.
  const take = () => database.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
  while (!(await take())[0]!.taken) await setTimeout(POLL_MS);
  try {
    const found = await findVersion(database);
    for (let version = found + 1; version <= last; version++) {
      await retryLocks(() =>
        database.transaction(async (queries) => {
          await queries.query(`set local lock_timeout = ${LOCK_LIMIT_MS}`);
          for (const statement of statementsOf(version)) await queries.query(statement);
        }),
      );
    }
    for (const { name, create, on } of await missingIndexes(database, last)) {
      await database.query(`drop index concurrently if exists ${name}`); // left invalid by an interrupted build
      await database.query(`${create} concurrently ${name} on ${on}`);
    }
    return Math.max(found, last);
  } finally {
    await database.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {}); // it ends with its connection, too
  }
}

/** Returns the statements that create all tables of the current version in an empty database. */
export function schemaStatements(): string[] {
  return [
    CREATE_VERSIONS,
    ...MIGRATIONS.flatMap((_, index) => statementsOf(index + 1)),
    ...INDEXES.map(({ create, name, on }) => `${create} ${name} on ${on}`),
  ];
}

/** Returns the version of the schema; 0 if there are no tables. */
async function findVersion(queries: Queries): Promise<number> {
  await queries.query(CREATE_VERSIONS);
  const [row] = await queries.query<{ version: number | null }>('select max(version) as version from migration');
  const version = row?.version ?? 0;
  if (version <= SCHEMA_VERSION) return version;
  const [newest] = await queries.query<{ minimum: number | null }>('select minimum from migration where version = $1', [
    version,
  ]);
  const minimum = newest!.minimum ?? version;
  if (minimum <= SCHEMA_VERSION) return version;
  throw new StoreError(
    `The database is of a newer svc-service (schema ${version}, for services that know ${minimum}; this one knows ` +
      `${SCHEMA_VERSION}). Update svc-service.`,
  );
}

/** Returns the statements of a migration. The last one records its version. */
function statementsOf(version: number): string[] {
  const minimum = Math.max(...INCOMPATIBLE.filter((other) => other <= version));
  const record =
    version < MINIMUM_SINCE
      ? `insert into migration (version) values (${version})`
      : `insert into migration (version, minimum) values (${version}, ${minimum})`;
  return [...MIGRATIONS[version - 1]!, record];
}

/** Returns the indexes of a version that do not exist, or whose build was interrupted. */
async function missingIndexes(queries: Queries, version: number): Promise<(typeof INDEXES)[number][]> {
  const found = await queries.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisvalid and relnamespace = current_schema()::regnamespace`,
  );
  const names = new Set(found.map(({ name }) => name));
  return INDEXES.filter(({ since, name }) => since <= version && !names.has(name));
}

async function retryLocks(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
    }
    await setTimeout(POLL_MS);
  }
}
