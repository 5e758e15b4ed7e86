import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { AccountError } from './account/account-error.js';
import { administer } from './admin/administer.js';
import { helpFor } from './admin/command-help.js';
import { isAdminCommand, readAdminArguments } from './admin/read-admin-arguments.js';
import { createService } from './service.js';
import { readSettings, SettingsError, type Settings } from './settings.js';
import type { Environment } from './settings/read-values.js';

/** Parts of the process that `svc-service` uses. */
export interface ProgramIo {
  readonly environment: Environment;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Emits `SIGTERM` and `SIGINT`. */
  readonly signals: { on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown };
}

/**
 * Runs `svc-service`: carries out a command, or starts the service and serves until a signal arrives.
 *
 * stdout receives results only. An error becomes one line on stderr, or its stack if `SVC_LOG_LEVEL` is `debug` or
 * `trace`.
 *
 * @param args - Command line without the program's name.
 * @returns Exit code: 0 for success, 1 for failure, 2 for invalid arguments or settings.
 */
export async function main(args: readonly string[], io: ProgramIo): Promise<number> {
  try {
    if (isAdminCommand(args)) {
      const typed = readAdminArguments(args, io.environment);
      if (typed) await printRows(administer(typed), io.stdout);
      else print(io.stdout, helpFor(args));
      return 0;
    }
    const settings = readSettings(args, io.environment);
    if (settings) return await serve(settings, io);
    print(io.stdout, helpFor(args));
    return 0;
  } catch (error) {
    print(io.stderr, describe(error, io.environment));
    // An AccountError from the start of the service is about a key of SVC_API_KEY.
    return error instanceof SettingsError || error instanceof AccountError ? 2 : 1;
  }
}

/**
 * Starts the service and prints `ready http://HOST:PORT/` once it listens. The first SIGTERM or SIGINT drains it, even
 * while it starts. The listeners are needed early: the first process of a container gets no signal that it does not
 * listen for.
 *
 * @returns Exit code: 0 once the service has drained, 1 as soon as a second signal arrives.
 */
async function serve(settings: Settings, { signals, stderr, stdout }: ProgramIo): Promise<number> {
  const starting = createService(settings);
  let isDraining = false;
  const stopped = new Promise<number>((resolve, reject) => {
    const stop = (): void => {
      if (isDraining) return resolve(1);
      isDraining = true;
      starting.then((service) => service.drain()).then(() => resolve(0), reject);
    };
    signals.on('SIGTERM', stop);
    signals.on('SIGINT', stop);
  });
  const service = await Promise.race([starting, stopped]);
  if (typeof service === 'number') return service;
  if (service.apiKeyWasMade) {
    print(stderr, `There was no key, so one was made for the user owner. It is not shown again: ${service.apiKey}`);
  }
  if (!isDraining) print(stdout, `ready ${service.url}/`);
  return stopped;
}

/** Prints objects as lines of JSON, at the speed of the reader. Stops without an error if the reader goes away. */
async function printRows(rows: AsyncIterable<object>, stdout: Writable): Promise<void> {
  let broken: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => {
    broken = error;
  });
  try {
    for await (const row of rows) {
      if (!stdout.write(`${JSON.stringify(row)}\n`)) await once(stdout, 'drain');
      if (broken) throw broken;
    }
  } catch (error) {
    // `svc-service ledger | head` is not a failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Returns the first line of an error's message, or its stack. Other members may contain a database password. */
function describe(error: unknown, { SVC_LOG_LEVEL = '' }: Environment): string {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const line = (message || code || String(error)).split('\n', 1)[0]!;
  return /^(debug|trace)$/.test(SVC_LOG_LEVEL) ? (stack ?? line) : line;
}

function print(stream: Writable, line: string): void {
  stream.write(`${line}\n`);
}
