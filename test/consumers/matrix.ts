import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { assertHeard, expected } from '../page/support/sound.js';
import { startGateway, type Gateway } from '../../src/testing/gateway.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { buildAll } from './app-build.js';
import { serveApp, startDevServer } from './app-server.js';
import { type App, APPS, type ThreadFiles, titleOf } from './apps.js';
import { type Consumers, ROOT } from './consumers.js';
import { FIRST_LOAD_LIMIT, firstLoadBytes } from './first-load.js';
import { Listeners, type Spoken } from './hear.js';
import { type AnyPolicy, POLICIES, type Policy, policyHeader } from './page-policy.js';

/** Content of `<script type="importmap">`. */
interface ImportMap {
  readonly imports: Record<string, string>;
}

/** One cell of the consumer matrix. */
interface Cell {
  readonly app: App;
  readonly policy: Policy;
  readonly files: ThreadFiles;
  readonly isolated: boolean;
}

/** A cell of the matrix that works, with its result. */
export interface Found extends Cell {
  /** Transport of the samples to the audio thread. */
  readonly transport: string;
}

/** True if all cells are tested: in `npm run test:long`, and to write the tables of the docs. */
export const isWhole = Boolean(process.env['SVC_LONG'] ?? process.env['SVC_PACKAGE_DOCS']);

/** App on a page where the speaker cannot work, and the remedy that the speaker's error must name. */
export interface Refused {
  readonly app: App;
  readonly page: string;
  readonly policy: AnyPolicy;
  readonly files: ThreadFiles;
  /** Text that the error message must contain, so that the user knows what to do. */
  readonly remedy: string;
}

const appIn = (folder: string): App => APPS.find((app) => app.folder === folder)!;
const BLOB = 'allow blob: in script-src and worker-src';

/** The tested setups in which the speaker cannot work. */
export const REFUSALS: readonly Refused[] = [
  { app: appIn('html'), page: 'index.html', policy: 'strict', files: 'built in', remedy: BLOB },
  { app: appIn('vite'), page: 'index.html', policy: 'strict', files: 'built in', remedy: BLOB },
  {
    app: appIn('html'),
    page: 'index.html',
    policy: 'Trusted Types without svc-speaker',
    files: 'built in',
    remedy: 'A page with trusted-types must allow svc-speaker',
  },
  {
    app: appIn('esbuild'),
    page: 'assets.html',
    policy: 'strict',
    files: 'assets.js',
    remedy: 'Check that it is there',
  },
  {
    app: appIn('rollup'),
    page: 'assets.html',
    policy: 'no policy',
    files: 'assets.js',
    remedy: 'Check that it is there',
  },
];

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Speech of every page: noise, because no two parts of it are alike. */
const SPEECH = { noise: 11, seconds: 0.2 };

/** Timeout of the whole matrix. It is far longer than a run takes, and ends a run in which a page hangs. */
const MATRIX_TIMEOUT_MS = isWhole ? 1_500_000 : 300_000;

/** Number of pages that speak at the same time. A page mostly waits, and no check depends on timing. */
const PAGES = 2 * availableParallelism();

/**
 * Declares the tests of the consumer matrix: each app plays speech under each policy, with and without isolation.
 *
 * @param apps - The apps to test.
 * @param skip - Reason to skip the tests; false to run them.
 * @returns Results, to which each test adds its own when it passes.
 */
export function matrix(consumers: Consumers, apps: readonly App[], skip: string | false): readonly Found[] {
  const found: Found[] = [];
  let browser: Browser;
  let listeners: Listeners;
  let gateway: Gateway;
  let builds: Map<App, Promise<void>>;

  describe('consumer matrix', { concurrency: PAGES, timeout: MATRIX_TIMEOUT_MS }, () => {
    before(async () => {
      if (skip !== false) return;
      builds = buildAll(consumers.apps!, apps);
      gateway = await startGateway();
      browser = await chromium.launch({
        executablePath: await ensureBrowser(),
        args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      });
      listeners = new Listeners(browser);
    });
    after(async () => {
      if (skip !== false) return;
      await browser.close();
      await gateway.close();
    });

    for (const cell of apps.flatMap(cellsOf).filter((one) => isWhole || isRepresentative(one))) {
      const { app, policy, files, isolated } = cell;
      const name = `${titleOf(app)}, ${policy}, ${files}, ${isolated ? 'isolated' : 'not isolated'}: is heard`;
      it(name, { skip }, async () => {
        const page = files === 'built in' ? 'index.html' : 'own-files.html';
        const spoken = await open(app, page, policy, isolated);
        assertSpoken(spoken);
        assert.equal(spoken.transport, isolated ? 'shared' : 'message');
        found.push({ ...cell, transport: spoken.transport });
      });
    }

    for (const app of apps.filter(({ folder }) => folder === 'html')) {
      it(`${titleOf(app)}: resolves every module of its import map`, { skip }, async () => {
        const server = await serveApp(consumers.apps!, {});
        const page = await browser.newPage();
        try {
          await page.goto(`${server.origin}/${app.folder}/index.html`);
          const loaded = await page.evaluate(async () => {
            const { imports } = JSON.parse(document.querySelector('[type=importmap]')!.textContent) as ImportMap;
            // The import map leaves React and Vue to the page, so these modules cannot load.
            const names = Object.keys(imports).filter((name) => !name.endsWith('/') && !/(react|vue)\.js$/.test(name));
            await Promise.all(names.map((name) => import(name)));
            return imports;
          });
          const docs = await readFile(join(ROOT, 'docs', 'deployment.md'), 'utf8');
          assert.deepEqual(JSON.parse(/```json\n([^]*?)```/.exec(docs)![1]!), { imports: loaded });
          const own = Object.keys(loaded).filter((name) => name.startsWith('svc-speaker'));
          assert.deepEqual(own.toSorted(), (await modulesForPages()).toSorted());
        } finally {
          await page.close();
          await server.close();
        }
      });

      it(`${titleOf(app)}, Trusted Types, built in: is heard`, { skip }, async () => {
        assertSpoken(await open(app, 'index.html', 'Trusted Types', false));
      });
    }

    for (const app of apps.filter(({ folder, dev }) => folder === 'vite' && !dev)) {
      it(`${titleOf(app)}: loads at most ${FIRST_LOAD_LIMIT} bytes before the first speech`, { skip }, async () => {
        await builds.get(app);
        const bytes = await firstLoadBytes(join(consumers.apps!, app.folder, app.served!), 'index.html');
        assert.ok(bytes > 0 && bytes <= FIRST_LOAD_LIMIT, `${bytes} bytes after gzip`);
      });
    }

    for (const { app, page, policy, files, remedy } of REFUSALS.filter((refused) => apps.includes(refused.app))) {
      it(`${titleOf(app)}, ${policy}, ${files}: fails with output-failed and names the remedy`, { skip }, async () => {
        const { samples, error } = await open(app, page, policy, false);
        assert.match(String(error), /^output-failed: /);
        assert.ok(error!.includes(remedy), `The error lacks the remedy "${remedy}": ${error}`);
        assert.ok(samples.every((sample) => sample === 0));
      });
    }
  });
  return found;

  async function open(app: App, page: string, policy: AnyPolicy, isolated: boolean): Promise<Spoken> {
    await builds.get(app);
    const root = join(consumers.apps!, app.folder, app.dev ? '' : (app.served ?? ''));
    const session = scriptUrl(gateway.url, speaking(SPEECH));
    const server = app.dev
      ? await startDevServer(consumers.apps!, root, isolated ? ISOLATED : {})
      : await serveApp(
          // Without a bundler, the page loads packages from the shared `node_modules`.
          app.build ? root : consumers.apps!,
          {
            ...(isolated ? ISOLATED : {}),
            ...policyHeader(policy, await readFile(join(root, page), 'utf8'), gateway.url, app.trustedTypes),
          },
        );
    try {
      const path = app.build || app.dev ? page : `${app.folder}/${page}`;
      return await listeners.hear(`${server.origin}/${path}`, session);
    } finally {
      await server.close();
    }
  }
}

function assertSpoken({ samples, error, complaints }: Spoken): void {
  assert.equal(error, null);
  assert.deepEqual(complaints, []);
  assertHeard(samples, [expected(SPEECH)]);
}

/** Returns the combinations of page, policy and isolation under which an app works. */
function cellsOf(app: App): Cell[] {
  const pages: { policy: Policy; files: ThreadFiles }[] = app.dev
    ? // The development server inserts its own scripts into the page, which a strict policy forbids.
      ['built in' as const, app.ownFiles].map((files) => ({ policy: 'no policy', files }))
    : (app.policies ?? POLICIES).map((policy) => ({
        policy,
        files: policy.startsWith('strict') ? app.ownFiles : 'built in',
      }));
  return pages.flatMap((page) => [true, false].map((isolated) => ({ app, ...page, isolated })));
}

/** True for two cells of each app: isolated without a policy, and not isolated under the strictest policy. */
function isRepresentative({ app, policy, files, isolated }: Cell): boolean {
  if (isolated) return policy === 'no policy' && files === 'built in';
  return files === app.ownFiles && (policy === 'strict, Trusted Types' || app.dev === true);
}

/** Returns the names of the package's modules that a page can import. */
async function modulesForPages(): Promise<string[]> {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const elsewhere = /backend|testing|preact|solid|svelte|threads|json/;
  return Object.keys(exports).flatMap((path) => (elsewhere.test(path) ? [] : path.replace('.', 'svc-speaker')));
}
