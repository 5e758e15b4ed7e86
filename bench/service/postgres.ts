import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { findServers } from '../../scripts/servers.mjs';

/** A PostgreSQL server that several nodes can share. */
export interface Postgres {
  /** Drops and creates the database `svc_bench`, and returns its URL. */
  emptyDatabase(): Promise<string>;
  /** CPU time of its running processes, in seconds; NaN if it was not started here or the system does not report it. */
  cpuSeconds(): number;
  close(): Promise<void>;
}

/** Runs a query and returns its rows. */
export async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  client.on('error', () => {}); // the statement fails, too
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Connects to the server of a URL, or starts the installed one with its defaults, in a new folder.
 *
 * @param settings - Settings to change in a server that is started.
 * @returns `null` if no server is installed.
 */
export async function findPostgres(
  url: string | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres | null> {
  const server = url === undefined ? await start(settings) : { url, pid: null, close: async () => {} };
  if (!server) return null;
  return {
    cpuSeconds: () => (server.pid === null ? Number.NaN : childrenSeconds(server.pid)),
    async emptyDatabase() {
      await ask(server.url, 'drop database if exists svc_bench with (force)');
      await ask(server.url, 'create database svc_bench');
      return new URL('/svc_bench', server.url).href;
    },
    close: server.close,
  };
}

async function start(
  given: Readonly<Record<string, string>>,
): Promise<{ url: string; pid: number; close(): Promise<void> } | null> {
  const programs = (findServers as () => { postgres: string | null })().postgres;
  if (programs === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-postgres-'));
  // The server refuses to run as root. Its package has created a user for it.
  const owner = process.getuid?.() === 0 ? idsOf('postgres') : null;
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const as = { cwd: folder, ...owner };
  const initArguments = ['-D', data, '-U', 'svc', '-E', 'UTF8', '--locale=C', '--auth=trust'];
  execFileSync(join(programs, 'initdb'), initArguments, { ...as, stdio: 'ignore' });
  const port = await freePort();
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...given };
  const settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...as,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.on('exit', () => child.kill('SIGQUIT'));
  for await (const line of createInterface(child.stderr)) {
    if (line.includes('ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error('PostgreSQL did not start.');
  child.stderr.resume(); // otherwise the server would block when nobody reads
  return {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    pid: child.pid!,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the CPU time of the running child processes of a process, in seconds. */
function childrenSeconds(pid: number): number {
  const secondsOf = (child: string): number => {
    try {
      return Number(readFileSync(`/proc/${child}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
    } catch {
      return 0; // it has ended in the meantime
    }
  };
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children.reduce((sum, child) => sum + secondsOf(child), 0);
  } catch {
    return Number.NaN;
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
