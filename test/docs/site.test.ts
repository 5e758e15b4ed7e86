import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright';
import { CHAPTERS } from '../../docs/.vitepress/pages.mjs';
import { buildSite, SITE } from '../../scripts/docs.mjs';
import { checkExamples, exampleFiles, pages } from '../../scripts/docs/examples.mjs';
import { ROOT } from './example.js';
import type {} from '../../src/define.js';
import type { WordEvent } from '../../src/index.js';
import type {} from '../../src/reader/index.js';
import { startHost, type Host } from './host.js';
import { long } from '../long.js';

/** Examples that other examples import, whose file names the tests compute, or that only their types check. */
const TOGETHER = [
  /^backend\/(speech|users)\.js$/,
  /^backend\/react-router\/app\/routes\.js$/,
  /^frameworks\/App\.vue$/,
  /^rooms\/publish\.ts$/,
  /^vendors\/before\//,
];

/** Opens the search. The button works once the page has set its shortcut. */
async function openSearch(page: Page): Promise<void> {
  await page.locator('.DocSearch-Button[aria-keyshortcuts]').click();
}

describe('The pages of the documentation', () => {
  it('show only code that is in the examples', () => assert.deepEqual(checkExamples(), []));

  it('show only examples that a test runs', () => {
    const others = readdirSync(join(ROOT, 'test/docs')).filter((file) => file !== 'site.test.ts');
    const heard = ['documented', 'talk-back-stop'].map((name) => `test/demo/heard/${name}.spec.ts`);
    const elsewhere = [...heard, 'test/consumers/consumers.ts'];
    const tests = [...others.map((file) => `test/docs/${file}`), ...elsewhere];
    const text = tests.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const unnamed = exampleFiles().filter((file) => !text.includes(file) && !TOGETHER.some((run) => run.test(file)));
    assert.deepEqual(unnamed, []);
  });

  it('have examples that compile', () => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', 'docs/examples'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

  it('are all in the sidebar', () => {
    const listed = new Set(CHAPTERS.flatMap(({ pages: files }) => files.map(([file]) => `${file}.md`)));
    const alone = pages().filter(
      (page) => !listed.has(page) && !/^(README|docs\/index|docs\/decisions\/\d.*)\.md$/.test(page),
    );
    assert.deepEqual(alone, []);
  });
});

describe('The documentation site', long, () => {
  let problems: Awaited<ReturnType<typeof buildSite>>;
  let starting: Promise<Host>;
  let host: Host;

  before(async () => {
    starting = startHost();
    [problems, host] = await Promise.all([buildSite(), starting]);
  });

  // Also if the site cannot be built: its host would keep this process open.
  after(async () => (await starting).close());

  it('documents every public symbol', () => assert.deepEqual(problems.undocumented, []));

  it('has no dead link, and loads nothing from other origins', () => assert.deepEqual(problems.deadLinks, []));

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`requests nothing from other origins, and has no accessibility problem: ${colorScheme}`, async (t) => {
      for (const path of ['', 'coming-from.html', 'deployment.html', 'reference/define.html']) {
        const { page, requests, log } = await host.visit(t, host.site.alone + path, { colorScheme });
        await page.waitForLoadState('networkidle');
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(
          (values) =>
            (globalThis as unknown as { axe: typeof axe }).axe.run({
              runOnly: values,
              rules: { 'label-content-name-mismatch': { enabled: true }, 'landmark-one-main': { enabled: true } },
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
      }
    });
  }

  it('fits on a phone', async (t) => {
    for (const path of ['', 'start.html', 'performance.html', 'reference/backend.html']) {
      const { page } = await host.visit(t, host.site.alone + path, { viewport: { width: 320, height: 640 } });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(tooWide <= 0, `${path} is ${tooWide} px too wide`);
    }
  });

  for (const [title, site, words] of [
    ['speaks', 'url', 'textarea'],
    ['plays a recording', 'alone', 'p'],
  ] as const) {
    it(`shows the speaker of its home page above the fold, inside its box, if it ${title}`, async (t) => {
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        const { page } = await host.visit(t, host.site[site], { viewport });
        await page.locator(`.live-speaker ${words}`).first().waitFor();
        await page.locator('.live-speaker svc-speaker [part=toggle]').waitFor();
        const [box, text, speaker] = await Promise.all(
          ['.live-speaker', `.live-speaker ${words}`, '.live-speaker svc-speaker'].map(
            async (selector) => (await page.locator(selector).first().boundingBox())!,
          ),
        );
        assert.ok(speaker!.y + speaker!.height <= viewport.height, `${viewport.width}: it ends at ${speaker!.y}`);
        for (const inner of [text!, speaker!]) {
          assert.ok(inner.x >= box!.x + 16, `${viewport.width}: ${inner.x}`);
          assert.ok(inner.x + inner.width <= box!.x + box!.width - 16, `${viewport.width}: ${inner.x + inner.width}`);
        }
      }
    });
  }

  it('has a search that finds words', async (t) => {
    const { page } = await host.visit(t, host.site.alone);
    await openSearch(page);
    await page.getByRole('searchbox').fill('session-expired');
    await page.locator('.result[href*="errors.html"]').first().click();
    await page.waitForURL(/errors\.html/);
  });

  it('has a search that does not list similar words before exact matches', async (t) => {
    const { page } = await host.visit(t, host.site.alone);
    await openSearch(page);
    await page.getByRole('searchbox').fill('click');
    await page.locator('.result').first().waitFor();
    const found = await page.locator('.result').allInnerTexts();
    assert.deepEqual(
      found.filter((text) => /\bClock\b/.test(text)),
      [],
    );
  });

  it('reports a missing speech service, and requests none before the first click', async (t) => {
    const { page, log, requests } = await host.visit(t, host.site.url);
    await page.route('**/speech/**', (route) => route.fulfill({ status: 404, body: 'not here' }));
    await page.locator('.live-speaker svc-speaker [part=toggle]').waitFor();
    assert.deepEqual(log, []);
    assert.deepEqual(
      requests.filter((url) => url.includes('/speech/')),
      [],
    );
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByText('served without a speech service').waitFor();
  });

  it('has a recording of its own in its markup, for pages without a speech service', () => {
    const html = readFileSync(join(SITE, 'index.html'), 'utf8');
    assert.match(html, /<svc-speaker src="\/docs\/assets\/recording\.[\w-]+\.wav" text="You hear this recording/);
  });

  it('plays the recording where it expects no speech service', async (t) => {
    const { page, log, requests } = await host.visit(t, host.site.alone);
    await page.locator('.live-speaker svc-speaker [part=toggle]').click();
    await page.waitForFunction(() => {
      const { ended, error } = document.querySelector('svc-speaker')!;
      return ended || error;
    });
    const { error, seconds, peak } = await page.evaluate(async () => {
      const speaker = document.querySelector('svc-speaker')!;
      const samples = new Int16Array(await (await speaker.toBlob()).slice(44).arrayBuffer());
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      return { error: speaker.error?.message, seconds: speaker.currentTime, peak: loudest };
    });
    assert.equal(error, undefined);
    assert.ok(seconds > 2 && peak > 10_000, `${seconds} s, at most ${peak}`);
    assert.deepEqual(log, []);
    const speechRequests = requests.filter((url) => url.includes('/speech/'));
    assert.deepEqual(speechRequests, []);
  });

  it('speaks if a speech service is served beside it', async (t) => {
    const { page, log } = await host.visit(t, host.site.url);
    await page.getByLabel('Text to speak').fill('One two three.');
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.waitForFunction(() => document.querySelector('svc-speaker')?.ended);
    assert.deepEqual(log, []);
  });

  it('reads a page aloud when asked, loads the reader only then, and stops when another page is opened', async (t) => {
    const { page, log } = await host.visit(t, `${host.site.url}reader.html`);
    const read = page.getByRole('button', { name: 'Read this page aloud' });
    await read.waitFor();
    assert.equal(await page.evaluate(() => customElements.get('svc-reader') === undefined), true);
    const heard = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const words: string[] = [];
          document.addEventListener(
            'word',
            (event) => {
              if (words.push((event as WordEvent).word.text) === 7) resolve(words.join(' '));
            },
            { capture: true },
          );
        }),
    );
    await read.click();
    assert.equal(await heard, 'Read a page aloud For web developers');
    assert.ok(await page.evaluate(() => CSS.highlights.has('svc-word')));
    await page.getByRole('link', { name: 'Captions', exact: true }).click();
    await page.waitForURL(/captions/);
    await page.waitForFunction(() => document.querySelector('svc-reader')!.reading === null);
    assert.deepEqual(log, []);
  });

  it('offers to read only where a speech service may be beside it', async (t) => {
    const { page } = await host.visit(t, `${host.site.alone}reader.html`);
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('.read-aloud').count(), 0);
  });
});
