import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
// @ts-expect-error: a script without types
import { findServers } from '../../scripts/servers.mjs';

/** A PostgreSQL that several nodes can share. */
export interface Postgres {
  /** Makes the database `svc_bench` anew, empty, and returns its URL. */
  emptyDatabase(): Promise<string>;
  close(): Promise<void>;
}

/** Rows of a question. */
export async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Row[]>(text))] as Row[];
  } finally {
    await sql.end();
  }
}

/**
 * Connects to the server of a URL, or starts the one that is installed, with its own defaults, in a folder of its own.
 *
 * @returns `null` where there is none.
 */
export async function findPostgres(url: string | undefined): Promise<Postgres | null> {
  const server = url === undefined ? await start() : { url, close: async () => {} };
  if (!server) return null;
  return {
    async emptyDatabase() {
      await ask(server.url, 'drop database if exists svc_bench with (force)');
      await ask(server.url, 'create database svc_bench');
      return new URL('/svc_bench', server.url).href;
    },
    close: server.close,
  };
}

async function start(): Promise<{ url: string; close(): Promise<void> } | null> {
  const programs = (findServers as () => { postgres: string | null })().postgres;
  if (programs === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-postgres-'));
  // It refuses to run as root; the package has made a user for it.
  const owner = process.getuid?.() === 0 ? idsOf('postgres') : null;
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const as = { cwd: folder, ...owner };
  const initArguments = ['-D', data, '-U', 'svc', '-E', 'UTF8', '--locale=C', '--auth=trust'];
  execFileSync(join(programs, 'initdb'), initArguments, { ...as, stdio: 'ignore' });
  const port = await freePort();
  const settings = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`];
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
  child.stderr.resume(); // else it would stop when nobody reads
  return {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
