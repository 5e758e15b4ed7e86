/**
 * Tests the package as users get it: the tarball, installed in apps outside the repository.
 *
 * `SVC_PACKAGE_APPS=vite,nuxt` selects apps by their folder in `apps/`. By default, two cells of the matrix run for three
 * apps, and no app with a server. With `SVC_LONG`, all apps and all cells run. The cells must match docs/deployment.md,
 * which `SVC_PACKAGE_DOCS=write` updates.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { APPS } from './apps.js';
import { compareDocs, writeDocs } from './bundlers-table.js';
import { installConsumers, runNode, runTool } from './consumers.js';
import { greetingApps } from './greeting-apps.js';
import { isWhole, matrix, REFUSALS } from './matrix.js';
import { freePort } from '../engines/launch/free-port.js';
import { SERVER_APPS } from './server-apps.js';
import { tarball } from './tarball.js';
import { long } from '../long.js';

const named = process.env['SVC_PACKAGE_APPS']?.split(',');
/** Apps of which two cells run in `npm test`: one without a bundler, one with, and one of a framework. */
const REPRESENTATIVES = ['html', 'vite', 'react-19'];
const apps = APPS.filter(
  ({ folder, dev }) => named?.includes(folder) ?? (isWhole || (!dev && REPRESENTATIVES.includes(folder))),
);
const servers = SERVER_APPS.filter(({ folder }) => named?.includes(folder) ?? isWhole);
/** Folders with packages of their own. */
const more = ['frameworks', 'vite-7', 'rspack', 'parcel', 'angular', 'nuxt', 'astro', 'react-router'].filter((name) =>
  [...apps, ...servers].some(({ folder }) => folder.split('/')[0] === name),
);
// React 18 cannot share a folder with React 19.
if (isWhole || apps.some(({ folder }) => folder === 'react-18')) more.push('react-18');
if (isWhole) more.push('jest');

const consumers = await installConsumers(more);
after(() => consumers.remove());

const skip = consumers.apps === null && 'npm reaches no registry';
if (skip !== false) {
  console.error('\n!!! npm reaches no registry: the tests of what is installed from the package are SKIPPED.\n');
}

tarball(consumers, skip);
const found = matrix(consumers, apps, skip);
greetingApps(consumers, servers, skip);

describe('types of frameworks', { skip: !more.includes('frameworks') }, () => {
  it('report wrong attributes and events in a Svelte component', { skip }, async () => {
    const args = ['--tsconfig', 'svelte/tsconfig.json', '--output', 'machine'];
    const { output } = await runNode(join(consumers.apps!, 'frameworks'), [
      'node_modules/svelte-check/bin/svelte-check',
      ...args,
    ]);
    const errors = [...output.matchAll(/ ERROR "([^"]+)" (\d+)/g)].map(([, file, line]) => `${file}:${line}`);
    // A misspelt attribute, and a property that the event does not have.
    assert.deepEqual(errors, ['svelte/wrong.svelte:6', 'svelte/wrong.svelte:7'], output);
  });
});

describe('testing kit', () => {
  it('tests the page of an app', { skip }, async () => {
    Object.assign(process.env, { PORT: String(await freePort()), SVC_CHROMIUM: await ensureBrowser() });
    const { code, output, errors } = await runTool(consumers.apps!, 'testing', '@playwright/test/cli.js', ['test']);
    assert.equal(code, 0, output + errors);
    assert.match(output, /\b2 passed\b/);
  });
});

describe('an app’s own tests', () => {
  it('run in Jest', { skip: skip || long.skip }, async () => {
    const folder = join(consumers.apps!, 'jest');
    const { code, output, errors } = await runNode(folder, ['node_modules/jest/bin/jest.js']);
    assert.equal(code, 0, output + errors);
    assert.match(errors, /Tests: +4 passed/);
  });

  it('run in Vitest with jsdom and happy-dom', { skip: skip || long.skip }, async () => {
    const { code, output, errors } = await runTool(consumers.apps!, 'vitest', 'vitest/vitest.mjs', [
      'run',
      // On a busy machine a test may take longer than Vitest's 5 s.
      '--test-timeout=120000',
    ]);
    assert.equal(code, 0, output + errors);
    assert.match(output, /Tests +8 passed/);
  });
});

if (isWhole && named === undefined) {
  it('finds the results that docs/deployment.md lists', { skip }, async () => {
    const inOrder = APPS.flatMap((app) => found.filter((cell) => cell.app === app));
    const findings = { apps: consumers.apps!, found: inOrder, refused: REFUSALS };
    if (process.env['SVC_PACKAGE_DOCS'] === 'write') await writeDocs(findings);
    const { is, toBe } = await compareDocs(findings);
    assert.equal(is, toBe, 'npm run docs:bundlers');
  });
}
