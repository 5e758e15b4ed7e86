import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createServer, loadConfigFromFile } from 'vite';
import { bundleProgram, example } from './example.js';
import type {} from '../../src/define.js';
import { startHost, type Host, type HostPage } from './host.js';
import { vueFiles } from './vue-files.js';
import { long } from '../long.js';

describe('The examples of frameworks in the docs', { concurrency: 4 }, () => {
  let host: Host;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-speaker-docs-'));
    host = await startHost();
  });

  after(async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Bundles a program that renders examples on a server, runs it in Node.js, and returns its output. */
  async function render(name: string, program: string): Promise<string> {
    const options = { platform: 'node', format: 'cjs', jsx: 'automatic', ignoreAnnotations: true } as const;
    const define = { 'import.meta.url': '"file:///example"' };
    const file = join(folder, `${name}.cjs`);
    await writeFile(file, await bundleProgram(program, { ...options, define, plugins: [vueFiles({ ssr: true })] }));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
    assert.equal(stderr, '');
    return stdout.trim();
  }

  /** Opens a page that runs a program. */
  async function show(t: TestContext, program: string): Promise<HostPage> {
    const flags = ['OPTIONS_API__', 'PROD_DEVTOOLS__', 'PROD_HYDRATION_MISMATCH_DETAILS__'];
    const define = Object.fromEntries(flags.map((flag) => [`__VUE_${flag}`, 'true']));
    const script = await bundleProgram(program, {
      jsx: 'automatic',
      define: { ...define, 'process.env.NODE_ENV': '"production"' },
      plugins: [vueFiles()],
    });
    return host.open(t, '<div id="app"></div><script type="module" src="main.js"></script>', { 'main.js': script });
  }

  /** Opens a page that runs a program, clicks “Greet”, and waits until the greeting has ended. */
  async function greet(t: TestContext, program: string): Promise<HostPage> {
    const opened = await show(t, program);
    await opened.page.getByRole('button', { name: 'Greet' }).click();
    await opened.page.waitForFunction(() => {
      const { ended, error } = document.querySelector('svc-speaker')!;
      return ended || error;
    });
    assert.equal(await opened.page.evaluate(() => document.querySelector('svc-speaker')!.error?.message), undefined);
    return opened;
  }

  const speaker =
    /<svc-speaker session-endpoint="\/speech\/session" session-request="\{&quot;voice_id&quot;:&quot;slt&quot;\}"/;

  it('is a component of React that a server can render', long, async () => {
    const markup = await render(
      'react',
      `import { createElement } from 'react';
       import { renderToString } from 'react-dom/server';
       import { Greeting } from './frameworks/greeting.tsx';
       console.log(renderToString(createElement(Greeting, { name: 'Zoe' })));`,
    );
    assert.match(markup, speaker);
    assert.match(markup, /<button>Greet<\/button><button disabled="">Stop<\/button><p><\/p>$/);
  });

  it('is a component of Vue that a server can render', async () => {
    const markup = await render(
      'vue',
      `import { createSSRApp } from 'vue';
       import { renderToString } from 'vue/server-renderer';
       import Greeting from './frameworks/greeting.vue';
       renderToString(createSSRApp(Greeting, { name: 'Zoe' })).then(console.log);`,
    );
    assert.match(markup, speaker);
    assert.match(markup, /<button>Greet<\/button><button disabled>Stop<\/button><p><\/p><!--\]-->$/);
  });

  it('speaks in React', async (t) => {
    const { page, log } = await greet(
      t,
      `import { createElement } from 'react';
       import { createRoot } from 'react-dom/client';
       import { Greeting } from './frameworks/greeting.tsx';
       createRoot(document.querySelector('#app')).render(createElement(Greeting, { name: 'Zoe' }));`,
    );
    await page.locator('p', { hasText: 'Hello, Zoe.' }).waitFor();
    assert.ok(log.includes('Said: Hello, Zoe.'), log.join('\n'));
  });

  it('speaks in Vue', long, async (t) => {
    const { page } = await greet(
      t,
      `import { createApp } from 'vue';
       import Greeting from './frameworks/greeting.vue';
       createApp(Greeting, { name: 'Zoe' }).mount('#app');`,
    );
    await page.locator('p', { hasText: 'Hello, Zoe.' }).waitFor();
  });

  it('is known in every template of Vue by the plugin', long, async (t) => {
    const { page } = await show(t, `import './frameworks/main.js';`);
    await page.waitForFunction(() => document.querySelector('svc-speaker')?.text === 'One two three.');
  });

  it('is a story of Storybook', long, async (t) => {
    const { page } = await show(
      t,
      `import meta, { Controls } from './frameworks/svc-speaker.stories.js';
       document.querySelector('#app').append(Controls.render({ ...meta.args, ...Controls.args }));`,
    );
    await page.waitForFunction(() => document.querySelector('svc-speaker')?.shadowRoot?.querySelector('button'));
    const { text, sessionEndpoint } = await page.evaluate(() => {
      const shown = document.querySelector('svc-speaker')!;
      return { text: shown.text, sessionEndpoint: shown.sessionEndpoint };
    });
    assert.match(text, /^Hello\./);
    assert.equal(sessionEndpoint, '/speech/session');
  });

  it('gets its session through the development server of Vite', long, async () => {
    const paths: (string | undefined)[] = [];
    const backend = createHttpServer(({ url }, response) => {
      paths.push(url);
      response.end();
    });
    await new Promise<void>((resolve) => backend.listen(0, resolve));
    const shown = readFileSync(example('frameworks/vite.config.js'), 'utf8');
    const file = join(folder, 'vite.config.js');
    await writeFile(file, shown.replace(':3000', `:${(backend.address() as AddressInfo).port}`));
    const config = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file);
    const server = await createServer({ ...config!.config, configFile: false, root: folder, logLevel: 'error' });
    try {
      await server.listen(0);
      await fetch(new URL('speech/session', server.resolvedUrls!.local[0]), { method: 'POST' });
      assert.deepEqual(paths, ['/speech/session']);
    } finally {
      await server.close();
      backend.close();
    }
  });

  it('is isolated by the headers of Vite', long, async (t) => {
    const config = await loadConfigFromFile(
      { command: 'serve', mode: 'development' },
      example('isolation/vite.config.js'),
    );
    const server = await createServer({ ...config!.config, configFile: false, root: folder, logLevel: 'error' });
    try {
      await writeFile(join(folder, 'index.html'), '<!doctype html><title>Isolated</title>');
      await server.listen(0);
      const { page } = await host.visit(t, server.resolvedUrls!.local[0]!);
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    } finally {
      await server.close();
    }
  });
});
