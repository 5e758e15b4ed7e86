/** `npm run docs:bundlers`: tests the package in all consumer apps, and writes the results to docs/deployment.md. */
import { runNode } from './command.mjs';

process.exitCode = await runNode(['scripts/test.mjs', '--long', 'consumers'], { env: { SVC_PACKAGE_DOCS: 'write' } });
