#!/usr/bin/env node
import { once } from 'node:events';
import { administer } from './admin/administer.js';
import { isAdminCommand, readAdminArguments } from './admin/read-admin-arguments.js';
import { createService } from './service.js';
import { readSettings, SettingsError } from './settings.js';
import { USAGE } from './settings/usage.js';

/**
 * `svc-service`: carries out a command, or starts the service. Exit codes: 0 done, 1 failed, 2 not understood.
 */
async function main(args: readonly string[]): Promise<void> {
  if (isAdminCommand(args)) {
    const given = readAdminArguments(args, process.env);
    if (given) await printRows(administer(given));
    else console.log(USAGE);
    return;
  }
  const settings = readSettings(args, process.env);
  if (settings) await start(settings);
  else console.log(USAGE);
}

/**
 * Prints one line on stdout, `ready http://HOST:PORT/`, when the service listens; everything else goes to stderr. SIGTERM
 * and SIGINT let it finish what has begun, a second one ends it at once.
 */
async function start(settings: NonNullable<ReturnType<typeof readSettings>>): Promise<void> {
  const service = await createService(settings);
  if (service.apiKeyWasMade) {
    console.error(`There was no key, so one was made for the user owner. It is not shown again: ${service.apiKey}`);
  }
  let closing = false;
  const stop = (): void => {
    if (closing) process.exit(1);
    closing = true;
    service.drain().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  console.log(`ready ${service.url}/`);
}

/** Prints objects as lines of JSON, as fast as they are taken, until nobody takes them any more. */
async function printRows(rows: AsyncIterable<object>): Promise<void> {
  const { stdout } = process;
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
    // `svc-service ledger | head` is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/**
 * Says what went wrong, in one line; where it happened, too, with `SVC_LOG_LEVEL=debug`. Never the error's other members,
 * which may hold a database's password.
 */
function fail(error: unknown): never {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const line = (message || code || String(error)).split('\n', 1)[0];
  console.error(/^(debug|trace)$/.test(process.env.SVC_LOG_LEVEL ?? '') ? (stack ?? line) : line);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

main(process.argv.slice(2)).catch(fail);
