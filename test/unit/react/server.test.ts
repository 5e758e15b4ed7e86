import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { react18 } from '../../setup/react-18.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Renders the component on a server. It is built for development, because only then React reports problems. */
const PAGE = `
  import { createElement, version } from 'react';
  import { renderToString } from 'react-dom/server';
  import { SvcSpeaker } from './src/react/index.ts';
  const props = {
    src: 'wss://example.com/?a=1&b=2',
    sessionRequest: { voice_id: 'anna' },
    sessionProvider: () => Promise.resolve(''),
    session: undefined,
    jitterBufferTarget: 60,
    volume: 0.5,
    autoplay: true,
    controls: false,
    keepOpen: true,
    muted: true,
    audioContext: {},
    className: 'loud',
    style: { color: 'red' },
    'data-x': 1,
    onEnded: () => {},
    onClick: () => {},
  };
  console.log(version.split('.')[0], 'document' in globalThis);
  console.log(renderToString(createElement(SvcSpeaker, props, createElement('b', { slot: 'play-label' }, 'Listen'))));
  console.log(renderToString(createElement(SvcSpeaker, { src: 'wss://example.com/', session: { url: 'wss://x/' } })));
`;

for (const version of ['18', '19']) {
  describe(`React ${version} on a server`, () => {
    const folder = join(ROOT, '.cache', `react-server-${process.pid}-${version}`);
    let lines: string[];
    let complaints: string;

    before(async () => {
      await mkdir(folder, { recursive: true });
      const outfile = join(folder, 'page.cjs');
      await build({
        stdin: { contents: PAGE, resolveDir: ROOT },
        outfile,
        bundle: true,
        platform: 'node',
        ignoreAnnotations: true,
        plugins: version === '18' ? [react18()] : [],
        define: { 'process.env.NODE_ENV': '"development"', 'import.meta.url': '"file:///page"' },
      });
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile]);
      lines = stdout.trim().split('\n');
      complaints = stderr;
    });

    after(() => rm(folder, { recursive: true, force: true }));

    it('renders the tag with every prop that can be an attribute', () => {
      const yes = version === '18' ? '"true"' : '""';
      assert.deepEqual(lines.slice(0, 2), [
        `${version} false`,
        `<svc-speaker class="loud" style="color:red" data-x="1" src="wss://example.com/?a=1&amp;b=2" ` +
          `jitter-buffer-target="60" autoplay=${yes} keep-open=${yes} muted=${yes} ` +
          'session-request="{&quot;voice_id&quot;:&quot;anna&quot;}"><b slot="play-label">Listen</b></svc-speaker>',
      ]);
    });

    it('omits a src that a session replaces', () => assert.equal(lines[2], '<svc-speaker></svc-speaker>'));

    it('prints no warning', () => assert.equal(complaints, ''));
  });
}
