import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { promisify } from 'node:util';
import postgres from 'postgres';
// @ts-expect-error: a script without types
import { findServers } from '../../../scripts/servers.mjs';

/** Why a test that needs PostgreSQL is skipped, for `t.skip()` and the option `skip`. */
export const NO_POSTGRES = 'There is no PostgreSQL here. Install it, or set SVC_POSTGRES_BIN to its programs.';

/** Name and password of who may do everything in the cluster. */
const USER = 'svc';
const PASSWORD = 'not-to-be-seen';

/**
 * Runs the server until our end of its input is closed, by us or because we are gone, and removes its folder if told.
 * A background process of a shell has no input, so the server does not take ours.
 */
const KEEPER = '"$@" & server=$!; read word; kill -QUIT $server; wait $server; [ "$word" = halt ] || rm -rf "$FOLDER"';

/** A PostgreSQL for tests, empty and on a port of its own. */
export interface PostgresCluster {
  /** Its database `postgres`; for anything that leaves traces, {@link createDatabase}. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Asks as who may do everything. */
  ask<Row extends object>(text: string): Promise<Row[]>;
  /** Ends the server at once, as a crash would; its data stays. */
  halt(): Promise<void>;
  /** Starts it again after {@link halt}, on the same port. */
  resume(): Promise<void>;
}

let shared: Promise<PostgresCluster | null> | undefined;
let end: () => Promise<void> = async () => {};
after(() => end());

/**
 * Starts a PostgreSQL, the same for all tests of a file; it ends after them, or when the process does.
 *
 * @returns `null` where there is none, which is said on stderr; the tests then skip with {@link NO_POSTGRES}.
 */
export function startPostgres(): Promise<PostgresCluster | null> {
  return (shared ??= start());
}

async function start(): Promise<PostgresCluster | null> {
  const programs = (findServers as () => { postgres: string | null })().postgres;
  if (programs === null || process.platform === 'win32') {
    console.error(`!!! SKIPPED: ${NO_POSTGRES}`);
    return null;
  }
  const owner = findOwner();
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const cwd = folder; // ours may be closed to the owner
  await promisify(execFile)(
    join(programs, 'initdb'),
    `-D ${data} -U ${USER} -E UTF8 --locale=C --no-sync --auth=scram-sha-256 --pwfile=${passwordFile}`.split(' '),
    { cwd, ...owner },
  );
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
    shared_buffers: '32MB',
    deadlock_timeout: '100ms',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const run = async (): Promise<ChildProcess> => {
    const child = spawn('/bin/sh', ['-c', KEEPER, 'sh', join(programs, 'postgres'), '-D', data, ...args], {
      cwd,
      env: { ...process.env, FOLDER: folder, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
      ...owner,
    });
    const said: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      said.push(line);
      if (line.includes('ready to accept connections')) {
        child.stderr.resume(); // else it would stop when nobody reads
        return child;
      }
    }
    throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
  };
  const stop = async (child: ChildProcess, word: string): Promise<void> => {
    child.stdin?.end(`${word}\n`);
    if (child.exitCode === null) await once(child, 'exit');
  };

  let server = await run();
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  let admin = connect(urlOf('postgres'));
  let databases = 0;
  end = async () => {
    await admin.end();
    await stop(server, 'end');
    rmSync(folder, { recursive: true, force: true }); // what it was not allowed to remove
  };
  return {
    url: urlOf('postgres'),
    async createDatabase() {
      const name = `test_${++databases}`;
      await admin.unsafe(`create database ${name}`);
      return urlOf(name);
    },
    ask: async <Row extends object>(text: string) => [...(await admin.unsafe<Row[]>(text))] as Row[],
    async halt() {
      await admin.end();
      await stop(server, 'halt');
    },
    async resume() {
      server = await run();
      admin = connect(urlOf('postgres'));
    },
  };
}

function connect(url: string) {
  return postgres(url, { max: 1, onnotice: () => {} });
}

/** PostgreSQL refuses to run as root. */
function findOwner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '::65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
