#!/usr/bin/env node
/** The program. In a checkout npm links it before it is built, and would not if it were what is built. */
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('svc-service is not built yet: npm run build');
  process.exitCode = 1;
}
