/** `npm run docs:pictures`: takes the pictures of docs/, during the tests of what they show. */
import { runNode } from './command.mjs';

// All tests of the dashboard, because the first ones make the keys, avatars and entries that the pictures show.
const tests = ['dashboard.spec', '/looks.spec', 'demo/reader.spec', '--grep', 'dashboard.spec|themes|highlighted word'];
process.exitCode = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...tests], {
  env: { SVC_LONG: '1', SVC_PICTURES: 'docs' },
});
