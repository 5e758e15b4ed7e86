import { spawn, type ChildProcess } from 'node:child_process';

/** Error for a program that cannot be started, or fails. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Maximum number of characters kept of a program's standard error. */
const ERROR_LENGTH = 300;

/**
 * Runs a program, writes a text to its standard input, and yields its standard output. The program and its child
 * processes are killed when the signal is aborted or iteration stops. Main thread.
 *
 * The program gets this process's environment without the variables of the service, which contain keys.
 *
 * @throws {CommandFailure} While iterating, if the program cannot be started, or ends with a code other than 0. The
 *   message may repeat what the program wrote to its standard error, which may include the text.
 */
export async function* runCommand(
  program: string,
  args: readonly string[],
  text: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  signal.throwIfAborted();
  const ownGroup = process.platform !== 'win32';
  const child = spawn(program, args, {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: ownGroup,
    windowsHide: true,
  });
  const ended = waitForEnd(child);
  let done = false;
  const kill = (): void => {
    if (!done) killGroup(child, ownGroup);
  };
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (data: string) => {
    complaint = (complaint + data).slice(0, ERROR_LENGTH);
  });
  child.stdin.on('error', () => {}); // the program may end before it has read everything, or may not exist
  child.stdin.end(text);
  signal.addEventListener('abort', kill, { once: true });
  try {
    for await (const bytes of child.stdout) yield bytes as Buffer;
    signal.throwIfAborted();
    const problem = await ended;
    done = true;
    signal.throwIfAborted();
    if (problem) throw new CommandFailure(`${program} ${problem}${complaint.trim() && `: ${complaint.trim()}`}`);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended;
  }
}

/** Resolves once the program has ended, with a description of the failure or `null`. */
function waitForEnd(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const known: Readonly<Record<string, string>> = { ENOENT: 'is not there', EACCES: 'may not be run' };
      resolve(known[error.code ?? ''] ?? `cannot be started (${error.code})`);
    });
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(null);
      else resolve(code === null ? `was ended by ${signal}` : `ended with code ${code}`);
    });
  });
}

function killGroup(child: ChildProcess, ownGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (ownGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The program has ended in the meantime.
  }
}
