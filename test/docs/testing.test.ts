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
      export default { ...shown, outputDir: 'results', reporter: 'line', use: { ...shown.use, baseURL, launchOptions } };`;
    await writeFile(join(folder, 'greeting.spec.mjs'), greeting);
    await writeFile(join(folder, 'stop.spec.mjs'), stop);
    await writeFile(join(folder, 'shown.mjs'), config);
    await writeFile(join(folder, 'playwright.config.mjs'), here);
    const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'test'], { cwd: folder }).catch(
      (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }),
    );
    assert.match(stdout, /\b2 passed\b/, stdout);
  });
});
