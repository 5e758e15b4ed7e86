#!/usr/bin/env node
/** Entry point. npm links it in a checkout before anything is built; it would not link a missing dist/cli.js. */
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('svc-service is not built yet: npm run build');
  process.exitCode = 1;
}
