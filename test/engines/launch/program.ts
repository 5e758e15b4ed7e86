import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Environment of a program, all of it. */
export type Environment = Readonly<Record<string, string>>;

/** A program that runs beside a test, and ends with it at the latest. */
export interface Program {
  /** What it prints. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended, by itself or not. */
  readonly gone: Promise<void>;
  /** Ends it. May be called twice. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a program, which is ended when this process ends in whatever way short of SIGKILL. */
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
 * What a program prints, as soon as it matches.
 *
 * @param output - A stream of the program.
 * @throws {Error} If the program ends before; the message has what it printed.
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
 * Path of a program that `scripts/programs.mjs` has found.
 *
 * @param variable - Of the environment, that names it.
 * @throws {Error} If it is not set.
 */
export function namedProgram(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run npm test -- engines, which finds the browsers.`);
  return path;
}

/** Our own environment. */
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
  // A signal that nobody listens to ends us without an `exit`.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
}
