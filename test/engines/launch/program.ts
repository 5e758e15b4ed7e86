import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Complete environment of a program. */
export type Environment = Readonly<Record<string, string>>;

/** A program that runs beside a test. It ends no later than this process. */
export interface Program {
  /** Output of the program. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program has ended, by itself or by `stop()`, or could not start. */
  readonly gone: Promise<void>;
  /** Sends SIGTERM, and resolves when the program has ended. May be called twice. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a program. It is killed when this process ends, unless SIGKILL ends this process. */
export function startProgram(command: string, args: readonly string[], env: Environment): Program {
  watchOurEnd();
  const child = spawn(command, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const gone = new Promise<void>((resolve) => {
    for (const event of ['error', 'exit'] as const) {
      child.once(event, () => {
        running.delete(child);
        resolve();
      });
    }
  });
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return gone;
  };
  return { stdout: child.stdout.resume(), stderr: child.stderr.resume(), gone, stop };
}

/**
 * Waits for output of a program that matches `pattern`, and returns the match.
 *
 * @param output - The program's `stdout` or `stderr`.
 * @throws {Error} If the program ends first. The message contains its output.
 */
export async function prints(program: Program, output: Readable, pattern: RegExp): Promise<string> {
  let text = '';
  const found = new Promise<string>((resolve) => {
    output.on('data', (data: Buffer) => {
      text += data.toString();
      const match = pattern.exec(text);
      if (match) resolve(match[0]);
    });
  });
  const ended = program.gone.then(() => Promise.reject(new Error(`A program has ended. It said: ${text}`)));
  return Promise.race([found, ended]);
}

/**
 * Returns the path of a program that `scripts/programs.mjs` has found.
 *
 * @param variable - Name of the environment variable that holds the path.
 * @throws {Error} If the variable is not set.
 */
export function namedProgram(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run npm test -- engines, which finds the browsers.`);
  return path;
}

/** Returns the environment of this process. */
export function ownEnvironment(): Environment {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

let watching = false;

function watchOurEnd(): void {
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  // Without a listener, a signal ends this process with no `exit` event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
