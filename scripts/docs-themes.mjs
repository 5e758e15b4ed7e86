/** `npm run docs:themes`: takes the pictures in docs/themes/, during the test of the themes. */
import { runNode } from './command.mjs';

const playwright = ['node_modules/@playwright/test/cli.js', 'test', 'looks.spec', '--grep', 'themes'];
process.exitCode = await runNode(playwright, { env: { SVC_THEME_PICTURES: 'write' } });
