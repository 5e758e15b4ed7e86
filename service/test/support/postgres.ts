import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** Time limit for the start of the server, in milliseconds. */
const START_LIMIT_MS = 120_000;

/** Interval between two checks of whether the server has started, in milliseconds. */
const POLL_MS = 20;

const FOLDER = new URL('.', import.meta.url);
const KEEPER = new URL('postgres-keeper.ts', FOLDER);

/** State of a run's server, in the file that its keeper writes. */
export interface KeeperState {
  /** Process id of the keeper. */
  readonly keeper: number;
  /** URL of the server's database `postgres`, once it has started. */
  readonly url?: string;
  /** Reason why the server did not start. */
  readonly error?: string;
}

/** URL of the server, once it was needed. */
let url: Promise<string> | undefined;
/** Number of databases that this process has created. */
let databases = 0;

/**
 * Creates an empty database on the PostgreSQL server of this run and returns its URL. Its user is a superuser.
 *
 * A run is one call of the test runner, or this process if it was started without one. The first call in a run starts
 * the server, which ends with the run. Call it only if `NO_POSTGRES` is `false`.
 */
export async function createDatabase(): Promise<string> {
  const address = new URL(await (url ??= findServer()));
  const name = `test_${process.pid}_${++databases}`;
  await askPostgres(address.href, `create database ${name}`);
  address.pathname = `/${name}`;
  return address.href;
}

/** Opens a connection, runs one statement, and closes the connection. */
export async function askPostgres<Row extends object>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl);
  client.on('error', () => {}); // the statement fails, too
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Reads the state that a keeper has written; `null` if there is none yet. */
export function readState(file: string): KeeperState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeeperState;
  } catch {
    return null;
  }
}

/** True if a process exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the URL of this run's server. Starts its keeper if there is none. */
async function findServer(): Promise<string> {
  // The runner sets this variable for the processes that it starts for test files.
  const run = process.env.NODE_TEST_CONTEXT === undefined ? process.pid : process.ppid;
  const file = join(tmpdir(), `svc-postgres-${run}.json`);
  const limit = performance.now() + START_LIMIT_MS;
  for (let keeper: ChildProcess | null = null; performance.now() < limit; await setTimeout(POLL_MS)) {
    if (keeper?.exitCode) throw new Error(`The keeper of PostgreSQL ended with ${keeper.exitCode}.`);
    const state = readState(file);
    if (state?.error !== undefined) throw new Error(state.error);
    if (state && isAlive(state.keeper)) {
      if (state.url !== undefined) return state.url;
    } else if (!keeper) {
      // The runner waits until every process has closed its output, so the keeper must not inherit it.
      const args = ['--import', 'tsx', fileURLToPath(KEEPER), String(run), file];
      keeper = spawn(process.execPath, args, { cwd: FOLDER, detached: true, stdio: 'ignore' });
      keeper.unref();
    }
  }
  throw new Error(`The PostgreSQL of this run did not start within ${START_LIMIT_MS} ms: see ${file}.`);
}
