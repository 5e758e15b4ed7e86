#!/usr/bin/env node
import { createService } from './service.js';
import { readSettings, SettingsError } from './settings.js';
import { USAGE } from './settings/usage.js';

/**
 * `svc-service`: prints one line on stdout, `ready http://HOST:PORT/`, when it listens; everything else goes to stderr.
 * SIGTERM and SIGINT close it, a second one ends it at once.
 */
async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (!settings) {
    console.log(USAGE);
    return;
  }
  const service = await createService(settings);
  if (!settings.apiKey) console.error(`SVC_API_KEY is not set; the key until this process ends is ${service.apiKey}`);
  let closing = false;
  const stop = (): void => {
    if (closing) process.exit(1);
    closing = true;
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  console.log(`ready ${service.url}/`);
}

main().catch((error: unknown) => {
  const expected = error instanceof SettingsError || (error as NodeJS.ErrnoException).syscall === 'listen';
  console.error(expected ? (error as Error).message : error);
  process.exit(error instanceof SettingsError ? 2 : 1);
});
