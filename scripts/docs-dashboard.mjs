/** `npm run docs:dashboard`: takes the picture docs/dashboard.png, during the test of the dashboard. */
import { runNode } from './command.mjs';

const playwright = ['node_modules/@playwright/test/cli.js', 'test', 'dashboard.spec', '--grep', 'month of usage'];
process.exitCode = await runNode(playwright, { env: { SVC_DASHBOARD_PICTURE: 'write' } });
