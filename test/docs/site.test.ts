import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import { CHAPTERS } from '../../docs/.vitepress/pages.mjs';
import { buildSite } from '../../scripts/docs.mjs';
import { exampleFiles, pages } from '../../scripts/docs/examples.mjs';
import { ROOT } from './example.js';
import type {} from '../../src/define.js';
import { startHost, type Host } from './host.js';

/** Examples that others bring along, or whose file is built into a name; and what is checked by its types. */
const TOGETHER = [
  /^backend\/(speech|users)\.js$/,
  /^page\/(copied-files|scripts-folder)\.html$/,
  /^frameworks\/App\.vue$/,
  /^rooms\/publish\.ts$/,
];

describe('The documentation site', () => {
  let problems: Awaited<ReturnType<typeof buildSite>>;
  let host: Host;

  before(async () => {
    [problems, host] = await Promise.all([buildSite(), startHost()]);
  });

  after(() => host.close());

  it('documents every public symbol', () => assert.deepEqual(problems.undocumented, []));

  it('has no dead link, and loads nothing from elsewhere', () => assert.deepEqual(problems.deadLinks, []));

  it('shows only code of the examples', () => assert.deepEqual(problems.unknownCode, []));

  it('shows only examples that a test runs', () => {
    const tests = readdirSync(join(ROOT, 'test/docs')).filter((file) => file !== 'site.test.ts');
    const text = tests.map((file) => readFileSync(join(ROOT, 'test/docs', file), 'utf8')).join('\n');
    const unnamed = exampleFiles().filter((file) => !text.includes(file) && !TOGETHER.some((run) => run.test(file)));
    assert.deepEqual(unnamed, []);
  });

  it('has examples whose types are right', () => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', 'docs/examples'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

  it('leads to every page from its sidebar', () => {
    const listed = new Set(CHAPTERS.flatMap(({ pages: files }) => files.map(([file]) => `${file}.md`)));
    const alone = pages().filter(
      (page) => !listed.has(page) && !/^(README|docs\/index|docs\/decisions\/\d.*)\.md$/.test(page),
    );
    assert.deepEqual(alone, []);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`requests nothing from elsewhere, and has no accessibility problem: ${colorScheme}`, async () => {
      for (const path of ['', 'demos.html', 'isolation.html', 'reference/define.html']) {
        const { page, requests, log } = await host.visit(host.site.alone + path, { colorScheme });
        await page.waitForLoadState('networkidle');
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(
          (values) =>
            (globalThis as unknown as { axe: typeof axe }).axe.run({
              runOnly: values,
              // The search button of VitePress shows its key, and does not say it.
              rules: { 'label-content-name-mismatch': { enabled: false } },
            }),
          ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
        );
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => `${path}: ${id}: ${target.join(' ')}`),
        );
        assert.deepEqual(found, []);
        assert.deepEqual(
          requests.filter((url) => !url.startsWith(host.site.alone) && !url.startsWith('data:')),
          [],
        );
        assert.deepEqual(log, []);
        await page.close();
      }
    });
  }

  it('fits on a phone', async () => {
    for (const path of ['', 'start.html', 'performance.html', 'reference/backend.html']) {
      const { page } = await host.visit(host.site.alone + path, { viewport: { width: 320, height: 640 } });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(tooWide <= 0, `${path} is ${tooWide} px too wide`);
      await page.close();
    }
  });

  it('has a search that finds words', async () => {
    const { page } = await host.visit(host.site.alone);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('session-expired');
    await page.locator('.result[href*="errors.html"]').first().click();
    await page.waitForURL(/errors\.html/);
    await page.close();
  });

  it('speaks if a speech service is served beside it', async () => {
    const { page } = await host.visit(`${host.site.url}demos.html`);
    await page.getByLabel('Text to speak').fill('One two three.');
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')?.ended);
    await page.close();
  });
});
