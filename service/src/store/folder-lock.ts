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

/** The file that names who has the folder; empty if nobody has. */
const LOCK_FILE = 'lock';

/** How often the holder touches the file, for those that cannot see its lock. */
const BEAT_MS = 5000;

/** Beats that a holder elsewhere may miss before it is taken for dead. */
const BEATS_MISSED = 3;

/** `O_EXLOCK` of macOS and the BSDs, which Node does not name. */
const EXCLUSIVE_LOCK = 0x20;

/** Who has a folder. */
interface Holder {
  readonly pid: number;
  readonly place: string;
}

/** Gives back what was taken. */
type Release = () => Promise<void>;

/** What a test may replace. */
export interface FolderLockOptions {
  /** Time between two signs of life; 5000 by default. */
  readonly beatMs?: number;
  /** The machine or container, as far as its processes see each other's locks. */
  readonly place?: string;
}

/**
 * Takes a folder for this process alone, until the lock is released or the process ends, however it ends.
 *
 * The lock is the kernel's: a socket without a file on Linux, a pipe on Windows, a locked file elsewhere. A process in
 * another container or on another machine that shares the folder does not see it; for that one the holder touches the
 * file `lock`, and who finds it there waits for a few beats.
 *
 * @returns Releases it; more than once is harmless.
 * @throws {FolderInUseError} If another process has it; names the process.
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

/** @returns `null` if somebody has it. */
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
    // Exclusive: else workers of a cluster would share it.
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
    return null; // not there, empty, or about to be written
  }
}

/** Tells whether somebody who has the folder touches the file within this time. */
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
    // Somebody removed it, or the disk fails; the kernel's lock holds all the same.
  }
}

/** Name of the machine or container, and of the part of its kernel in which sockets without a file are seen. */
function thisPlace(): string {
  return process.platform === 'linux' ? `${hostname()} ${readlinkSync('/proc/self/ns/net')}` : hostname();
}
