import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright';
// @ts-expect-error: a script without types
import { ensureBrowser } from '../../scripts/browser.mjs';
import { assertHeard, expected } from '../page/support/sound.js';
import { startGateway, type Gateway } from '../../src/testing/gateway.js';
import { scriptUrl, speaking } from '../../src/testing/script.js';
import { buildAll } from './app-build.js';
import { serveApp, startDevServer } from './app-server.js';
import { type App, APPS, type ThreadFiles, titleOf } from './apps.js';
import { type Consumers, ROOT } from './consumers.js';
import { firstLoadBytes } from './first-load.js';
import { Listeners, type Spoken } from './hear.js';
import { type AnyPolicy, POLICIES, type Policy, policyHeader } from './page-policy.js';

/** Contents of `<script type="importmap">`. */
interface ImportMap {
  readonly imports: Record<string, string>;
}

/** A cell of the matrix. */
interface Cell {
  readonly app: App;
  readonly policy: Policy;
  readonly files: ThreadFiles;
  readonly isolated: boolean;
}

/** A cell of the matrix, as the run found it. */
export interface Found extends Cell {
  /** How the speech got to the audio thread. */
  readonly transport: string;
}

/** Whether all cells are tested: in `npm run test:long`, and to write the table of the docs. */
export const isWhole = Boolean(process.env['SVC_LONG'] ?? process.env['SVC_PACKAGE_DOCS']);

/** A set-up that cannot work, and what the speaker's error says then. */
export interface Refused {
  readonly app: App;
  readonly page: string;
  readonly policy: AnyPolicy;
  readonly files: ThreadFiles;
  /** What the message must hold, for the user to know what to do. */
  readonly remedy: string;
}

const appIn = (folder: string): App => APPS.find((app) => app.folder === folder)!;
const BLOB = 'allow blob: in script-src and worker-src';

/** All of them that are tested. */
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

/** What every page says: noise, since there no two places are alike. */
const SPEECH = { noise: 11, seconds: 0.2 };

/** For what a page loads at first, after gzip: that of .size-limit.mjs, and a kilobyte for Vite's own helpers and the page's code. */
const FIRST_LOAD_LIMIT = 18_600;

/** Far longer than it takes: a page that hangs is not to hold up the rest for ever. */
const MATRIX_TIMEOUT_MS = isWhole ? 1_500_000 : 300_000;

/** Pages that speak at the same time. Each waits more than it works; nothing of what is checked depends on time. */
const PAGES = 2 * availableParallelism();

/**
 * Declares the tests of the consumer matrix: each app under each policy, on isolated pages and on others, is heard.
 *
 * @param apps - Those to test.
 * @param skip - Why not to test; false to test.
 * @returns What the tests find. Live.
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
        executablePath: (await ensureBrowser()) as string,
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
      it(`${titleOf(app)}: leads to every module that it names`, { skip }, async () => {
        const server = await serveApp(consumers.apps!, {});
        const page = await browser.newPage();
        try {
          await page.goto(`${server.origin}/${app.folder}/index.html`);
          const loaded = await page.evaluate(async () => {
            const { imports } = JSON.parse(document.querySelector('[type=importmap]')!.textContent) as ImportMap;
            // React itself is the page's.
            const names = Object.keys(imports).filter((name) => !name.endsWith('/') && !/(react|vue)\.js$/.test(name));
            await Promise.all(names.map((name) => import(name)));
            return imports;
          });
          const docs = await readFile(join(ROOT, 'docs', 'bundlers.md'), 'utf8');
          assert.deepEqual(JSON.parse(/```json\n([^]*?)```/.exec(docs)![1]!), { imports: loaded });
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
      it(`${titleOf(app)}: loads at most ${FIRST_LOAD_LIMIT} bytes before anybody speaks`, { skip }, async () => {
        await builds.get(app);
        const bytes = await firstLoadBytes(join(consumers.apps!, app.folder, app.served!), 'index.html');
        assert.ok(bytes > 0 && bytes <= FIRST_LOAD_LIMIT, `${bytes} bytes after gzip`);
      });
    }

    for (const { app, page, policy, files, remedy } of REFUSALS.filter((refused) => apps.includes(refused.app))) {
      it(`${titleOf(app)}, ${policy}, ${files}: fails with output-failed and says what to do`, { skip }, async () => {
        const { samples, error } = await open(app, page, policy, false);
        assert.match(String(error), /^output-failed: /);
        assert.ok(error!.includes(remedy), `${error} does not say: ${remedy}`);
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
          // Without a bundler, packages are loaded from where they are installed.
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

/** Which pages of an app work, under which policies. */
function cellsOf(app: App): Cell[] {
  const pages: { policy: Policy; files: ThreadFiles }[] = app.dev
    ? // A development server puts scripts of its own into the page.
      ['built in' as const, app.ownFiles].map((files) => ({ policy: 'no policy', files }))
    : (app.policies ?? POLICIES).map((policy) => ({
        policy,
        files: policy.startsWith('strict') ? app.ownFiles : 'built in',
      }));
  return pages.flatMap((page) => [true, false].map((isolated) => ({ app, ...page, isolated })));
}

/** Two cells of each app: the plainest on an isolated page, and the one under most restrictions on another. */
function isRepresentative({ app, policy, files, isolated }: Cell): boolean {
  if (isolated) return policy === 'no policy' && files === 'built in';
  return files === app.ownFiles && (policy === 'strict, Trusted Types' || app.dev === true);
}
