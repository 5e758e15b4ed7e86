/** `npm run docs:bundlers`: runs the consumer matrix, and writes what it found into docs/bundlers.md. */
import { runNode } from './command.mjs';

process.exitCode = await runNode(['scripts/test.mjs', 'consumers'], { env: { SVC_PACKAGE_DOCS: 'write' } });
