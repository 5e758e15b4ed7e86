import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findServers } from '../../../scripts/servers.mjs';
import { freePort } from './free-port.js';

/** Name of the server's superuser. */
const USER = 'svc';

/** Password of {@link USER}; no error message may contain it. */
export const PASSWORD = 'not-to-be-seen';

/**
 * Shell script that runs the server until its stdin is closed, by this process or because it has ended. Then the script
 * removes the folder, unless it reads `keep`. A background process has no stdin, so the server does not consume the
 * script's.
 */
const GUARD = '"$@" & server=$!; read word; kill -QUIT $server; wait $server; [ "$word" = keep ] || rm -rf "$FOLDER"';

const programs = process.platform === 'win32' ? null : (findServers as () => { postgres: string | null })().postgres;

/** Reason why tests that need PostgreSQL are skipped, or `false`; for the option `skip` of a test or suite. */
export const NO_POSTGRES: string | false =
  programs === null &&
  'There is no PostgreSQL here. Install it, or set SVC_POSTGRES_BIN to the folder of its programs.';
if (NO_POSTGRES) console.error(`!!! SKIPPED: ${NO_POSTGRES}`);

/** A PostgreSQL server of its own, on a free port of 127.0.0.1. It ends with this process, however that ends. */
export class PostgresServer {
  /** URL of its database `postgres`. */
  readonly url: string;
  readonly #start: () => Promise<ChildProcess>;
  readonly #folder: string;
  #process: ChildProcess | null = null;

  /** Creates the data folder and starts the server. */
  static async start(): Promise<PostgresServer> {
    const owner = findOwner();
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
    await promisify(execFile)(
      join(programs!, 'initdb'),
      `-D data -U ${USER} -E UTF8 --locale=C --no-sync --auth=scram-sha-256 --pwfile=password`.split(' '),
      { cwd: folder, ...owner },
    );
    const server = new PostgresServer(folder, await freePort(), owner);
    await server.resume();
    return server;
  }

  private constructor(folder: string, port: number, owner: Owner | null) {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 300,
      shared_buffers: '32MB',
      deadlock_timeout: '100ms',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
    this.#folder = folder;
    this.#start = async () => {
      const child = spawn('/bin/sh', ['-c', GUARD, 'sh', join(programs!, 'postgres'), '-D', 'data', ...args], {
        cwd: folder,
        env: { ...process.env, FOLDER: folder, LC_ALL: 'C' },
        stdio: ['pipe', 'ignore', 'pipe'],
        ...owner,
      });
      const printed: string[] = [];
      for await (const line of createInterface(child.stderr)) {
        printed.push(line);
        if (line.includes('ready to accept connections')) {
          child.stderr.resume(); // an unread pipe would block the server
          return child;
        }
      }
      throw new Error(`PostgreSQL did not start:\n${printed.join('\n')}`);
    };
  }

  /** Ends the server at once, like a crash. Its data stays. */
  async crash(): Promise<void> {
    await this.#end('keep');
  }

  /** Starts the server again after {@link crash}, on the same port. */
  async resume(): Promise<void> {
    this.#process = await this.#start();
  }

  /** Ends the server and removes its data. */
  async stop(): Promise<void> {
    await this.#end('remove');
    rmSync(this.#folder, { recursive: true, force: true }); // what its user was not allowed to remove
  }

  async #end(word: 'keep' | 'remove'): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    child.stdin?.end(`${word}\n`);
    await once(child, 'exit');
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds a user to run PostgreSQL as, because it refuses to run as root. `null` if this process does not run as root.
 */
function findOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '::65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
