import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { bundle, ROOT } from './example.js';
import { documentOf, startHost, type Host } from './host.js';

describe('What the docs show of testing', () => {
  // Below the repository, where Playwright is found.
  const folder = join(ROOT, '.cache', `docs-testing-${process.pid}`);
  let host: Host;

  before(async () => {
    await mkdir(folder, { recursive: true });
    host = await startHost();
  });

  after(async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('listens to a page', async () => {
    const external = ['@playwright/test', 'ws'];
    const options = { platform: 'node', external } as const;
    const [greeting, stop, config] = await Promise.all([
      bundle('testing/greeting.spec.ts', options),
      bundle('testing/stop.spec.ts', options),
      bundle('testing/playwright.config.ts', options),
    ]);
    const script = `<script type="module">import 'svc-speaker/define.js';</script>`;
    const markup = `<svc-speaker controls text="Hello." session-endpoint="/speech/session"></svc-speaker>${script}`;
    const { page } = await host.open('', { '/': documentOf(markup) });
    const use = {
      baseURL: new URL('/', page.url()).href,
      executablePath: await ensureBrowser(),
      args: ['--no-sandbox'],
    };
    const here = `import shown from './shown.mjs';
      const { baseURL, ...more } = ${JSON.stringify(use)};
      const launchOptions = { ...shown.use.launchOptions, ...more };
      // A recording of the audio device, beside other tests.
      const own = { outputDir: 'results', reporter: 'line', retries: 2 };
      export default { ...shown, ...own, use: { ...shown.use, baseURL, launchOptions } };`;
    await writeFile(join(folder, 'greeting.spec.mjs'), greeting);
    await writeFile(join(folder, 'stop.spec.mjs'), stop);
    await writeFile(join(folder, 'shown.mjs'), config);
    await writeFile(join(folder, 'playwright.config.mjs'), here);
    const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
    const { stdout, code } = await promisify(execFile)(process.execPath, [cli, 'test'], { cwd: folder }).then(
      (output) => ({ ...output, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => ({ ...error, stdout: error.stdout + error.stderr }),
    );
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\b2 passed|\d flaky/, stdout);
  });
});
