import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FolderInUseError } from './store-error.js';

/** Name of the file that identifies the holder of the folder; empty if there is none. */
const LOCK_FILE = 'lock';

/** Interval at which the holder touches the file, in milliseconds, for processes that cannot see its lock. */
const BEAT_MS = 5000;

/** Number of beats that a holder elsewhere may miss before it counts as dead. */
const BEATS_MISSED = 3;

/** `O_EXLOCK` of macOS and the BSDs, for which Node has no constant. */
const EXCLUSIVE_LOCK = 0x20;

/** Process that holds a folder. */
interface Holder {
  readonly pid: number;
  readonly place: string;
}

/** Releases a lock. */
type Release = () => Promise<void>;

/** Options of {@link lockFolder}, for tests. */
export interface FolderLockOptions {
  /** Interval between two beats, in milliseconds; 5000 by default. */
  readonly beatMs?: number;
  /** Name of the machine or container within which processes see each other's locks. */
  readonly place?: string;
}

/**
 * Locks a folder for this process alone, until the lock is released or the process ends in any way.
 *
 * The kernel holds the lock: an abstract socket on Linux, a pipe on Windows, a locked file elsewhere. A process in
 * another container or on another machine that shares the folder cannot see it. For such processes, the holder touches
 * the file `lock` at intervals; a process that finds the file waits for {@link BEATS_MISSED} beats.
 *
 * @returns Releases the lock; may be called more than once.
 * @throws {FolderInUseError} If another process holds the folder; the message names the process.
 */
export async function lockFolder(folder: string, options: FolderLockOptions = {}): Promise<Release> {
  const { beatMs = BEAT_MS, place = thisPlace() } = options;
  const file = join(folder, LOCK_FILE);
  const unlock = await takeKernelLock(folder, file);
  if (!unlock) throw inUse(folder, readHolder(file), place);
  try {
    const before = readHolder(file);
    if (before && before.place !== place && (await isTouched(file, beatMs * BEATS_MISSED))) {
      throw inUse(folder, before, place);
    }
    writeFileSync(file, JSON.stringify({ pid: process.pid, place } satisfies Holder), { mode: 0o600 });
  } catch (error) {
    await unlock();
    throw error;
  }
  const beat = setInterval(() => touch(file), beatMs).unref();
  const release = async (): Promise<void> => {
    clearInterval(beat);
    writeFileSync(file, '');
    await unlock();
  };
  let releasing: Promise<void> | undefined;
  return () => (releasing ??= release());
}

function inUse(folder: string, holder: Holder | null, place: string): FolderInUseError {
  const elsewhere = holder && holder.place !== place ? ` on ${holder.place.split(' ')[0]}` : '';
  const who = holder ? `the process ${holder.pid}${elsewhere}` : 'another process';
  return new FolderInUseError(
    `The data folder ${folder} is in use by ${who}. End that, give this one a folder of its own (--data), ` +
      'or let both use one PostgreSQL (SVC_DATABASE_URL).',
  );
}

/**
 * Takes the kernel's lock.
 *
 * @returns `null` if another process holds it.
 */
async function takeKernelLock(folder: string, file: string): Promise<Release | null> {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `svc-service-${dev}-${ino}`;
  if (process.platform === 'linux') return listen(`\0${name}`);
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`);
  return lockFile(file);
}

function listen(path: string): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    // Exclusive: otherwise the workers of a cluster would share it.
    server.listen({ path, exclusive: true }, () => {
      resolve(() => new Promise((closed) => server.close(() => closed())));
    });
  });
}

function lockFile(file: string): Release | null {
  try {
    const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
    const descriptor = openSync(file, O_RDWR | O_CREAT | O_NONBLOCK | EXCLUSIVE_LOCK, 0o600);
    return async () => closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null; // missing, empty, or incomplete
  }
}

/** Returns true if a holder touches the file within this time, in milliseconds. */
async function isTouched(file: string, ms: number): Promise<boolean> {
  const before = statSync(file).mtimeMs;
  await wait(ms);
  return readHolder(file) !== null && statSync(file).mtimeMs !== before;
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // The file was removed, or the disk fails. The kernel's lock is still held.
  }
}

/** Returns the name of the machine or container, and of the network namespace in which abstract sockets are visible. */
function thisPlace(): string {
  return process.platform === 'linux' ? `${hostname()} ${readlinkSync('/proc/self/ns/net')}` : hostname();
}
