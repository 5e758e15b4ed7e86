/**
 * Measures leases of many sockets on many nodes: `npm run leases --prefix bench`. Each node is a process with the
 * service's own `SocketLeases` and SQL, on a real PostgreSQL, without sockets, audio or proxies. Prints the duration of
 * heartbeats, PostgreSQL's write volume and its connections; every figure is in `.cache/bench-leases/result.json`.
 *
 * Options:
 * - `--sockets 5000,10000,50000`: total number of sockets, one run for each value;
 * - `--nodes 20`, `--seconds 60`;
 * - `--turn-seconds 0,60`: mean time between two turns of a dialogue on a socket, one run for each value; 0 for no
 *   turns;
 * - `--sockets-per-account 20`;
 * - `--postgres postgres://user@host/postgres`: a server on which the database `svc_bench` may be created and dropped;
 *   by default, the installed server is started.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { createAccounts } from '../../service/src/account/accounts.js';
import { openDatabase } from '../../service/src/store/open-database.js';
import { atOnce, pause } from '../service/jobs/at-once.js';
import { ask, findPostgres, type Postgres } from '../service/postgres.js';
import { show, whereAndWhen } from '../show.js';
import { quantile, rounded } from '../timing.js';
import type { LeaseNode, LeaseReport } from './node-process.js';

const FOLDER = fileURLToPath(new URL('../../.cache/bench-leases/', import.meta.url));

/** Number of database connections of each node. */
const CONNECTIONS = 10;

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '5000,10000,50000' },
    nodes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    'turn-seconds': { type: 'string', default: '0,60' },
    'sockets-per-account': { type: 'string', default: '20' },
    postgres: { type: 'string' },
  },
});

// End the child processes together with this one.
const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const nodes = Number(values.nodes);
const seconds = Number(values.seconds);
const postgres = await findPostgres(values.postgres, { max_connections: String(nodes * CONNECTIONS + 20) });
if (!postgres) throw new Error('There is no PostgreSQL: install it, or name a server with --postgres.');
const program = `${FOLDER}${process.pid}.mjs`;
await mkdir(FOLDER, { recursive: true });
await build({
  entryPoints: [fileURLToPath(new URL('node-process.ts', import.meta.url))],
  outfile: program,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
const rows: Record<string, unknown>[] = [];
try {
  for (const sockets of values.sockets.split(',').map(Number)) {
    for (const turnSeconds of values['turn-seconds'].split(',').map(Number)) {
      rows.push(await simulate(postgres, sockets, turnSeconds));
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
} finally {
  await rm(program);
  await postgres.close();
}
show('leases: nodes', rows);
await writeFile(
  `${FOLDER}result.json`,
  `${JSON.stringify({ bench: 'leases', measured: whereAndWhen(), nodes, seconds, rows }, null, 1)}\n`,
);
console.log(`Every figure is in ${FOLDER}result.json`);

async function simulate({ cpuSeconds, emptyDatabase }: Postgres, sockets: number, turnSeconds: number) {
  const databaseUrl = await emptyDatabase();
  const owners = await createOwners(databaseUrl, Math.ceil(sockets / Number(values['sockets-per-account'])));
  const running = Array.from({ length: nodes }, (_, index) => {
    const each = Math.floor((index + 1) * (sockets / nodes)) - Math.floor(index * (sockets / nodes));
    return startNode({ databaseUrl, name: `node-${index}`, sockets: each, owners, turnSeconds });
  });
  const openedAt = performance.now();
  await Promise.all(running.map((node) => nextMessage(node)));
  const openSeconds = (performance.now() - openedAt) / 1000;
  await pause(5000); // time for two heartbeats with all sockets
  for (const node of running) node.send('measure');
  const before = { ...(await readServer(databaseUrl)), cpu: cpuSeconds(), at: performance.now() };
  let connections = 0;
  while (performance.now() < before.at + seconds * 1000) {
    await pause(1000);
    connections = Math.max(connections, (await readServer(databaseUrl)).connections);
  }
  const after = { ...(await readServer(databaseUrl)), cpu: cpuSeconds() };
  const took = (performance.now() - before.at) / 1000;
  const reports = await Promise.all(
    running.map((node) => {
      const report = nextMessage(node);
      node.send('report');
      return report as Promise<LeaseReport>;
    }),
  );
  const all = (of: (report: LeaseReport) => readonly number[]): number[] => reports.flatMap(of);
  const ms = (times: readonly number[], share: number) => (times.length ? rounded(quantile(times, share), 0) : '');
  const sum = (of: (report: LeaseReport) => number): number => reports.reduce((total, each) => total + of(each), 0);
  return {
    sockets,
    nodes,
    'turn s': turnSeconds,
    'heartbeat p50 ms': ms(
      all((report) => report.heartbeatMs),
      0.5,
    ),
    'p95 ms': ms(
      all((report) => report.heartbeatMs),
      0.95,
    ),
    'worst ms': ms(
      all((report) => report.heartbeatMs),
      1,
    ),
    'interval p95 ms': ms(
      all((report) => report.intervalMs),
      0.95,
    ),
    'slot p95 ms': ms(
      all((report) => report.slotMs),
      0.95,
    ),
    'turns/s': rounded(sum((report) => report.slotMs.length) / took, 0),
    'leases lost': sum((report) => report.lost),
    failed: sum((report) => report.failed),
    'WAL MB/s': rounded((after.walBytes - before.walBytes) / took / 1e6, 2),
    'commits/s': rounded((after.commits - before.commits) / took, 0),
    deadlocks: after.deadlocks - before.deadlocks,
    connections,
    'PostgreSQL cores': rounded((after.cpu - before.cpu) / took, 2),
    'nodes cores': rounded(sum((report) => report.cpuSeconds) / took, 2),
    'opened/s': rounded(sockets / openSeconds, 0),
  };
}

/** Creates accounts with one key each, and with more credits than the run uses. */
async function createOwners(databaseUrl: string, count: number): Promise<LeaseNode['owners']> {
  const database = await openDatabase({ databaseUrl });
  const accounts = createAccounts(database);
  const owners: { accountId: string; keyId: string }[] = [];
  await atOnce(count, 8, async () => {
    const { id, user } = await accounts.createKey({ plan: 'pro', credits: 1e8 });
    owners.push({ accountId: user, keyId: id });
  });
  await database.close();
  return owners;
}

function startNode(node: LeaseNode): ChildProcess {
  const child = fork(program, [], { execArgv: [] });
  child.send(node); // the owners of many sockets are too long for an argument
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** Returns the next message of a node. Rejects if the node exits first. */
async function nextMessage(node: ChildProcess): Promise<unknown> {
  const ended = once(node, 'exit').then(([code]) => {
    throw new Error(`A node ended with ${code}.`);
  });
  ended.catch(() => {}); // a node exits after its report
  const [message] = (await Promise.race([once(node, 'message'), ended])) as [unknown];
  return message;
}

/** PostgreSQL's counters so far, and its open connections except the one that reads them. */
interface ServerUse {
  readonly walBytes: number;
  readonly commits: number;
  readonly deadlocks: number;
  readonly connections: number;
}

async function readServer(databaseUrl: string): Promise<ServerUse> {
  const [row] = await ask<{ wal: string; commits: string; deadlocks: string; connections: string }>(
    databaseUrl,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, xact_commit as commits, deadlocks,
            (select count(*) - 1 from pg_stat_activity where datname = current_database()) as connections
       from pg_stat_database where datname = current_database()`,
  );
  return {
    walBytes: Number(row!.wal),
    commits: Number(row!.commits),
    deadlocks: Number(row!.deadlocks),
    connections: Number(row!.connections),
  };
}
