/** Tests the apps that `npm init svc-speaker` creates: installs, builds, starts and records them. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { NO_NETWORK, npm, parsePacked, ROOT, runNode } from './consumers.js';
import { assertGreets, PATIENCE_MS } from './greets.js';
import { freePort } from '../engines/launch/free-port.js';
import { long } from '../long.js';
import { Programs } from './programs.js';

const TEMPLATES = ['html', 'express', 'next', 'vue'];

describe('npm init svc-speaker', long, () => {
  const programs = new Programs();
  let folder: string;
  let program: string;
  let tarballs: Record<'speaker' | 'service', string>;
  let browser: Browser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-speaker-starters-'));
    const [speaker, service, create] = await Promise.all(['.', 'service', 'create'].map(pack));
    tarballs = { speaker: speaker!, service: service! };
    const installed = await npm(folder, ['install', '--no-save', '--no-audit', '--no-fund', '--offline', create!]);
    assert.equal(installed.code, 0, installed.errors);
    program = join(folder, 'node_modules', 'create-svc-speaker', 'create.js');
    browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] });
  });

  after(async () => {
    await browser.close();
    await programs.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has the templates that are tested here', async () => {
    const names = await readdir(join(ROOT, 'create', 'templates'));
    assert.deepEqual(
      names.filter((name) => name !== 'shared'),
      TEMPLATES.toSorted(),
    );
  });

  for (const template of TEMPLATES) {
    it(`makes an app that speaks: ${template}`, { timeout: 3 * PATIENCE_MS }, async (test) => {
      const { speaker, service } = tarballs;
      const options = ['--template', template, '--speaker', speaker, '--service', service];
      const made = await runNode(folder, [program, template, ...options]);
      assert.equal(made.code, 0, made.errors);
      const app = join(folder, template);

      const installed = await npm(app, ['install', '--no-audit', '--no-fund', '--prefer-offline']);
      if (installed.code !== 0 && NO_NETWORK.test(installed.errors)) return test.skip('npm reaches no registry');
      assert.equal(installed.code, 0, installed.errors);
      assert.doesNotMatch(installed.errors, /EBADENGINE/);
      // A build does not need the key: where apps are built, there are often no secrets.
      await rename(join(app, '.env'), join(folder, `${template}.env`));
      const built = await npm(app, ['run', 'build', '--if-present']);
      assert.equal(built.code, 0, built.output + built.errors);
      await rename(join(folder, `${template}.env`), join(app, '.env'));

      const memory = { SVC_PORT: '0', SVC_DATA_DIR: 'memory' };
      const ready = await programs.start(app, ['npm', 'run', 'service'], memory, /^ready (http\S+)\/$/m);
      const port = String(await freePort());
      const variables = { PORT: port, SVC_BASE_URL: ready[1]! };
      await programs.start(app, ['npm', 'run', 'dev'], variables, /http:\/\/localhost:\d+/);
      await assertGreets(browser, `http://localhost:${port}/`, 'Greet');
    });
  }

  it('makes an app with the voice of another vendor, which says that the key is missing', async (test) => {
    const voices = (await readdir(join(ROOT, 'create', 'voices'))).filter((name) => name !== 'README.md');
    assert.deepEqual(voices, ['cartesia', 'deepgram', 'elevenlabs']);
    for (const voice of voices) {
      const options = ['--template', 'html', '--voice', voice, '--speaker', tarballs.speaker];
      const made = await runNode(folder, [program, `app-${voice}`, ...options]);
      assert.equal(made.code, 0, made.errors);
      const app = join(folder, `app-${voice}`);
      const installed = await npm(app, ['install', '--no-audit', '--no-fund', '--prefer-offline']);
      if (installed.code !== 0 && NO_NETWORK.test(installed.errors)) return test.skip('npm reaches no registry');
      assert.equal(installed.code, 0, installed.errors);
      const port = String(await freePort());
      await programs.start(app, ['npm', 'run', 'dev'], { PORT: port }, /http:\/\/localhost:\d+/);
      const answer = await fetch(`http://localhost:${port}/speech/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
      assert.deepEqual(
        [answer.status, await answer.json()],
        [503, { detail: 'the speech service is unavailable: try again later' }],
      );
    }
  });

  async function pack(path: string): Promise<string> {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { code, output, errors } = await npm(join(ROOT, path), args);
    assert.equal(code, 0, errors);
    return join(folder, parsePacked(output).filename);
  }
});
