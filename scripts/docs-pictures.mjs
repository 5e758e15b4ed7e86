/** `npm run docs:pictures`: takes the pictures of docs/, during the tests of what they show. */
import { runNode } from './command.mjs';

const tests = ['dashboard.spec', '/looks.spec', '--grep', 'month of usage|themes'];
process.exitCode = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...tests], {
  env: { SVC_PICTURES: 'docs' },
});
