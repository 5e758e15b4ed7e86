import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = new URL('../../', import.meta.url);

/** Admin token of {@link startService}. */
export const ADMIN_TOKEN = 'an-admin-token-that-nobody-guesses';

/** The built service in a process of its own, with a dashboard and an empty embedded database. */
export interface DashboardService {
  /** URL of the service, with a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Usage of a socket that was open `daysAgo` days ago. */
export interface UsageEntry {
  readonly user: string;
  readonly daysAgo: number;
  readonly credits: number;
}

/**
 * Starts the service on a free port, with an embedded database.
 *
 * @param usage - Past sockets that the ledger contains from the start.
 * @throws {Error} If it ends before it is ready. The message contains its stderr.
 */
export async function startService(usage: readonly UsageEntry[]): Promise<DashboardService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-dashboard-'));
  if (usage.length > 0) await writeUsage(dataDir, usage);
  const child = spawn(process.execPath, ['service/dist/cli.js', 'start', '--port', '0', '--data', dataDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, SVC_ADMIN_TOKEN: ADMIN_TOKEN },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(line.replace(/^ready /, '')));
    void gone.then(() => reject(new Error(`The service ended:\n${errors}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      // Sockets have 30 s to drain. A service that takes longer hangs, and its log may say in what.
      const hangs = setTimeout(() => {
        console.error(`The service does not end. Its log:\n${errors}`);
        child.kill('SIGKILL');
      }, 60_000);
      await gone;
      clearTimeout(hangs);
      if (child.signalCode === 'SIGKILL') throw new Error('The service did not end within 60 s of SIGTERM.');
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Exports of svc-service that write to a data folder. */
interface Service {
  openDatabase(options: { dataDir: string }): Promise<Database>;
  createAccounts(database: Database): { createKey(key: object): Promise<unknown> };
}

interface Database {
  query(text: string, values: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

async function writeUsage(dataDir: string, usage: readonly UsageEntry[]): Promise<void> {
  // A computed path, because the service is built by another project, after the type check.
  const { createAccounts, openDatabase } = (await import(new URL('service/dist/index.js', root).href)) as Service;
  const database = await openDatabase({ dataDir });
  try {
    for (const user of new Set(usage.map((entry) => entry.user))) {
      await createAccounts(database).createKey({ user, plan: 'pro', credits: 1_000_000 });
    }
    await database.query(
      `with entry as (
         insert into ledger (account_id, kind, amount_ms, session_id, node, created_at)
         select person, 'usage', -1000 * credits, 'session-' || number, 'node-1', now() - days * interval '1 day'
           from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as use (person, days, credits, number)
         returning account_id, amount_ms)
       update account set balance_ms = balance_ms + used.ms
         from (select account_id, sum(amount_ms)::bigint as ms from entry group by account_id) as used
        where id = used.account_id`,
      [usage.map(({ user }) => user), usage.map(({ daysAgo }) => daysAgo), usage.map(({ credits }) => credits)],
    );
  } finally {
    await database.close();
  }
}
