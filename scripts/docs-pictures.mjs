/** `npm run docs:pictures`: takes the pictures of README.md and docs/, during the tests of what they show. */
import { runNode } from './command.mjs';

const tests = ['page.spec', 'dashboard.spec', '/looks.spec', '--grep', 'fits a desktop|month of usage|themes'];
process.exitCode = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...tests], {
  env: { SVC_PICTURES: 'docs' },
});
