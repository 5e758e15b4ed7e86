import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { ROOT } from './root.mjs';

/** How much an idle program is to yield: it gets a tenth of a processor that others want, so that it does not starve. */
const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;

/** What a program may take to end what it has started itself. */
const GRACE_MS = 5000;

/**
 * Runs a program in the repository's root and waits for its end. What it prints goes straight to our own output.
 *
 * @param {string} command - Program, by name or path.
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {Record<string, string>} [options.env] - Added to our environment.
 * @param {number} [options.timeoutMs] - The program is ended after this long; by default it may take for ever.
 * @param {boolean} [options.shell] - Runs through the system's shell; needed for `.cmd` files on Windows.
 * @param {boolean} [options.quiet] - Drops what it prints.
 * @param {string} [options.log] - File that gets what it prints, instead of our own output.
 * @param {boolean} [options.idle] - It yields the processor to others.
 * @returns {Promise<number>} The exit code; 127 if the program could not be started, 124 if it was killed for time.
 */
export function run(command, args, { env = {}, timeoutMs, shell = false, quiet = false, log, idle = false } = {}) {
  return new Promise((resolve) => {
    const output = log === undefined ? (quiet ? 'ignore' : 'inherit') : openSync(log, 'w');
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      shell,
      detached: idle,
    });
    if (typeof output === 'number') closeSync(output);
    if (idle) yieldProcessor(child);
    let late = false;
    /** @type {NodeJS.Timeout | undefined} */
    let killing;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            late = true;
            child.kill('SIGTERM');
            killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
          }, timeoutMs);
    child.once('error', () => {
      clearTimeout(timer);
      resolve(127);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      clearTimeout(killing);
      resolve(late ? 124 : (code ?? 1));
    });
  });
}

/**
 * Gives a process that leads a session a low priority. No terminal ends it: it ends with us.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function yieldProcessor(child) {
  const { pid } = child;
  if (pid === undefined) return;
  setPriority(pid, NICENESS);
  try {
    // Linux weighs sessions against each other first (sched(7), autogroup), and browsers have sessions of their own.
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch {
    // Elsewhere processes are weighed one by one.
  }
  const end = () => process.kill(-pid);
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/**
 * Runs a JavaScript file with the Node that runs us. See {@link run}.
 *
 * @param {readonly string[]} args - Node's own options, the file, and the file's arguments.
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}
