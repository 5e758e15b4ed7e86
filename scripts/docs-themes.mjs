/** `npm run docs:themes`: takes the pictures of docs/themes/ anew, from a run of the test that looks at them. */
import { runNode } from './command.mjs';

const playwright = ['node_modules/@playwright/test/cli.js', 'test', 'looks.spec', '--grep', 'themes'];
process.exitCode = await runNode(playwright, { env: { SVC_THEME_PICTURES: 'write' } });
