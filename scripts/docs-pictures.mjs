/** `npm run docs:pictures`: takes the pictures of docs/, during the tests of what they show. */
import { runNode } from './command.mjs';

// All tests of the dashboard, because the first ones make the keys, avatars and entries that the pictures show.
const tests = ['dashboard.spec', '/looks.spec', '--grep', 'dashboard.spec|themes'];
process.exitCode = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...tests], {
  env: { SVC_PICTURES: 'docs' },
});
