/** Tests the apps that `npm init svc-speaker` creates: installs, builds, starts and records them. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright';
// @ts-expect-error: a script without types
import { ensureBrowser } from '../../scripts/browser.mjs';
import { installRecorder, record } from '../../src/testing/index.js';
import { environment, NO_NETWORK, npm, parsePacked, ROOT, runNode } from './consumers.js';

const TEMPLATES = ['html', 'express', 'next', 'vue'];

/** Timeout for an app that compiles its page at the first request, on a busy machine. */
const PATIENCE_MS = 300_000;

/** Amplitude above which a sample counts as audible: below that of words, above a resampler's ringing in a pause. */
const AUDIBLE = 0.02;

const skip = !process.env['SVC_LONG'] && 'runs in npm run test:long';

describe('npm init svc-speaker', { skip }, () => {
  const children: ChildProcess[] = [];
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
    browser = await chromium.launch({ executablePath: (await ensureBrowser()) as string, args: ['--no-sandbox'] });
  });

  after(async () => {
    await browser.close();
    await Promise.all(children.map(end));
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
      // A build does not need the key: where apps are built, there are often no secrets.
      await rename(join(app, '.env'), join(folder, `${template}.env`));
      const built = await npm(app, ['run', 'build', '--if-present']);
      assert.equal(built.code, 0, built.output + built.errors);
      await rename(join(folder, `${template}.env`), join(app, '.env'));

      const ready = await start(app, 'service', { SVC_PORT: '0', SVC_DATA_DIR: 'memory' }, /^ready (http\S+)\/$/m);
      const port = String(await freePort());
      await start(app, 'dev', { PORT: port, SVC_BASE_URL: ready[1]! }, /http:\/\/localhost:\d+/);
      await assertGreets(`http://localhost:${port}/`);
    });
  }

  async function pack(path: string): Promise<string> {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { code, output, errors } = await npm(join(ROOT, path), args);
    assert.equal(code, 0, errors);
    return join(folder, parsePacked(output).filename);
  }

  /** Runs a script of an app until the tests end. Resolves with the match when the output matches `expected`. */
  function start(
    app: string,
    script: string,
    variables: Record<string, string>,
    expected: RegExp,
  ): Promise<RegExpExecArray> {
    const env = { ...environment(), NEXT_TELEMETRY_DISABLED: '1', ...variables };
    // Its own process group, so that `end` also ends the programs that npm starts.
    const child = spawn('npm', ['run', script], { cwd: app, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return new Promise((resolve, reject) => {
      let output = '';
      const take = (text: string): void => {
        output += text;
        const found = expected.exec(output);
        if (found) resolve(found);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`npm run ${script} ended with code ${code}:\n${output}`)));
    });
  }

  async function assertGreets(url: string): Promise<void> {
    const context = await browser.newContext();
    try {
      await installRecorder(context, { recordFromStart: true });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(url, { timeout: PATIENCE_MS });
      await page.waitForFunction(() => customElements.get('svc-speaker') !== undefined);
      await page.getByRole('button', { name: 'Greet' }).click();
      await page.waitForFunction(() => document.querySelector('#said')!.textContent !== '');
      assert.equal(await page.locator('#said').textContent(), 'The last sample has been heard.');
      assert.deepEqual(
        complaints.filter((complaint) => !complaint.includes('favicon.ico')),
        [],
      );
      const { samples, sampleRate } = await (await record(page)).read();
      const audible = samples.filter((sample) => Math.abs(sample) > AUDIBLE).length / sampleRate;
      assert.ok(audible > 0.5, `${audible} s of the greeting were loud`);
    } finally {
      await context.close();
    }
  }
});

/** Ends a program and the programs that it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid!, 'SIGTERM');
  await closed;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
