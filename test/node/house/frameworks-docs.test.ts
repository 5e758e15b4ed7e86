import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { compileScript, parse } from 'vue/compiler-sfc';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('docs/frameworks.md', () => {
  const folder = join(ROOT, '.cache', `frameworks-docs-${process.pid}`);
  let page: string;

  before(async () => {
    page = await readFile(join(ROOT, 'docs/frameworks.md'), 'utf8');
    await mkdir(folder, { recursive: true });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  /** The one example in this language. */
  function example(language: string): string {
    const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);
    assert.equal(found.length, 1, language);
    return found[0]!;
  }

  /** What a server makes of an example, with a program that prints it. */
  async function render(name: string, code: string, program: string): Promise<string> {
    const outfile = join(folder, `${name}.cjs`);
    await build({
      stdin: { contents: `${code}\n${program}`, resolveDir: ROOT, loader: 'tsx' },
      outfile,
      bundle: true,
      platform: 'node',
      jsx: 'automatic',
      ignoreAnnotations: true,
      alias: Object.fromEntries(['react', 'vue'].map((room) => [`svc-speaker/${room}.js`, `./src/${room}/index.ts`])),
      define: { 'import.meta.url': '"file:///example"' },
    });
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile]);
    assert.equal(stderr, '');
    return stdout.trim();
  }

  const speaker =
    /^<svc-speaker session-endpoint="\/speech\/session" session-request="\{&quot;voice_id&quot;:&quot;anna&quot;\}"/;

  it('shows a component of React that a server can render', async () => {
    const program = `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      console.log(renderToString(createElement(Greeting, { name: 'Zoe' })));`;
    const markup = await render('react', example('tsx'), program);
    assert.match(markup, speaker);
    assert.match(markup, /<button>Greet<\/button>$/);
  });

  it('shows a component of Vue that a server can render', async () => {
    const { descriptor, errors } = parse(example('vue'), { filename: 'greeting.vue' });
    assert.deepEqual(errors, []);
    const templateOptions = { ssr: true, ssrCssVars: [] };
    const { content } = compileScript(descriptor, { id: 'greeting', inlineTemplate: true, templateOptions });
    const program = `
      import { createSSRApp } from 'vue';
      import { renderToString } from 'vue/server-renderer';
      renderToString(createSSRApp(Greeting, { name: 'Zoe' })).then(console.log);`;
    const markup = await render('vue', content.replace('export default', 'const Greeting ='), program);
    assert.match(markup.replace('<!--[-->', ''), speaker);
    assert.match(markup, /<button>Greet<\/button><p><\/p><!--\]-->$/);
  });
});
