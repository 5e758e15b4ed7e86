/**
 * Keeps one PostgreSQL server for all test files of a run. `postgres.ts` starts it, with the run's process id and a
 * file.
 *
 * The first keeper of a run creates the file and writes its {@link KeeperState} there; others exit. The server ends
 * with the run's process, or with the keeper.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isAlive, readState, type KeeperState } from './postgres.js';
import { PostgresServer } from './postgres-server.js';

/** Interval between two checks of whether the run's process is alive, in milliseconds. */
const POLL_MS = 500;

const [runProcess, file] = [Number(process.argv[2]), process.argv[3]!];
if (claim()) await keep();

/** Creates the file, or takes it over if its keeper has died. Returns false if a live keeper has it. */
function claim(): boolean {
  const mine = JSON.stringify({ keeper: process.pid } satisfies KeeperState);
  try {
    writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch {
    const other = readState(file);
    if (!other || isAlive(other.keeper)) return false;
    writeFileSync(file, mine);
    return true;
  }
}

async function keep(): Promise<void> {
  let server: PostgresServer | null = null;
  try {
    server = await PostgresServer.start();
    publish({ keeper: process.pid, url: server.url });
  } catch (error) {
    publish({ keeper: process.pid, error: String(error) });
  }
  while (isAlive(runProcess)) await setTimeout(POLL_MS);
  await server?.stop();
  rmSync(file, { force: true });
}

/** Replaces the file atomically, so that no reader gets half of it. */
function publish(state: KeeperState): void {
  writeFileSync(`${file}.next`, JSON.stringify(state));
  renameSync(`${file}.next`, file);
}
