import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} Running programs. */
const running = new Set();
let ending = false;

/** Time after Ctrl+C for programs to clean up, in milliseconds. */
const GRACE_MS = 5000;
const PARENT_CHECK_MS = 500;

/**
 * Runs a program and waits for its end. Its output goes to that of this process. It is
 * terminated together with this process.
 *
 * @param {string} command - Name or path of the program.
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {Record<string, string>} [options.env] - Added to the environment of this process.
 * @param {number | undefined} [options.timeoutMs] - The program is terminated after this time; by default never.
 * @param {boolean} [options.shell] - Runs through the system's shell; needed for `.cmd` files on Windows.
 * @param {boolean} [options.quiet] - Discards its output.
 * @param {'inherit' | 'ignore' | 2} [options.stdout] - Where its stdout goes; 2 is the stderr of this process.
 * @param {string | undefined} [options.cwd] - Its current folder, relative to the root; by default the root.
 * @param {string | undefined} [options.log] - File to which its output goes instead.
 * @returns {Promise<number>} The exit code; 127 if the program could not be started, 1 if a signal ended it.
 */
export function run(
  command,
  args,
  { env = {}, timeoutMs, shell = false, quiet = false, stdout = 'inherit', cwd = '', log } = {},
) {
  return new Promise((resolve) => {
    if (ending) return;
    const output = log === undefined ? (quiet ? 'ignore' : 'inherit') : openSync(log, 'a');
    const child = spawn(command, args, {
      cwd: join(ROOT, cwd),
      env: { ...process.env, ...env },
      stdio: ['ignore', output === 'inherit' ? stdout : output, output],
      shell,
      timeout: timeoutMs ?? 0,
    });
    if (typeof output === 'number') closeSync(output);
    running.add(child);
    child.once('error', () => end(127));
    child.once('exit', (code) => end(code ?? 1));

    function end(/** @type {number} */ code) {
      running.delete(child);
      resolve(code);
    }
  });
}

/**
 * Runs a JavaScript file with the Node that runs this process. See {@link run}.
 *
 * @param {readonly string[]} args - Node's own options, the file, and the file's arguments.
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/**
 * Makes Ctrl+C, SIGTERM, SIGHUP and the end of a calling npm end this process, after all programs that it runs have
 * ended. No further program is started then. Call this once, at the start.
 */
export function endWithPrograms() {
  process.once('SIGINT', () => stop(GRACE_MS));
  process.once('SIGTERM', () => stop(0));
  process.once('SIGHUP', () => stop(0));
  // npm runs this process in a shell, which does not forward signals.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stop(0), PARENT_CHECK_MS).unref();
}

/** @param {number} delayMs - Time for programs to end by themselves, in milliseconds. */
function stop(delayMs) {
  if (ending) return;
  ending = true;
  const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  // @web/test-runner closes its browser only on SIGINT. On Ctrl+C, the terminal sends SIGINT to all its programs; a
  // second one would end them before they have cleaned up.
  setTimeout(() => running.forEach((child) => child.kill('SIGINT')), delayMs);
  void Promise.all(ends).then(() => process.exit(1));
}
