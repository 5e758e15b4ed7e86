import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { repositoryLinks } from '../../docs/.vitepress/links.mjs';
import { undescribed, writeModules } from '../../docs/.vitepress/reference.mjs';
import { blocksOf, piecesOf, unknownBlocks } from '../../scripts/docs/examples.mjs';
import { checkLinks } from '../../scripts/docs/links.mjs';
import { long } from '../long.js';

describe('The checks of the documentation', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-speaker-checks-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  it('find exports and members without a description, and ignore what is not public', long, async () => {
    await write({
      'more.d.ts': '/** Purpose of the file. @packageDocumentation */\nexport {};',
      'index.d.ts': `
        /** Purpose of the file. @packageDocumentation */
        export { Silent, Spoken, mute } from './parts.js';`,
      'parts.d.ts': `
        export declare class Silent {}
        /** Said. */
        export declare class Spoken extends EventTarget {
          #secret;
          private own: number;
          protected room: number;
          /** Ours. @internal */
          inner: number;
          /** Said. */
          said: number;
          get unsaid(): string;
          constructor(value: number);
          addEventListener(): void;
        }
        export declare function mute(): void;`,
    });
    const pages = join(folder, 'pages');
    const entries = ['index.d.ts', 'more.d.ts'].map((file) => join(folder, file));
    const problems = await writeModules(entries, { out: pages, name: 'kit', elements: [] });
    assert.deepEqual(problems.toSorted(), ['kit.Silent', 'kit.Spoken.unsaid', 'kit.mute']);
    const page = await readFile(join(pages, 'kit.md'), 'utf8');
    assert.deepEqual(
      [...page.matchAll(/`(inner|own|room|said|unsaid)`/g)].map(([, member]) => member),
      ['said', 'unsaid'],
    );
  });

  it('find members that the manifest does not describe', () => {
    const element = { tagName: 'x-y', events: [{ name: 'done' }, { name: 'told', description: 'Said.' }] };
    assert.deepEqual(undescribed(element), ['<x-y>: events done']);
  });

  it('find links to missing pages and anchors, and files loaded from other origins', async () => {
    await write({
      'index.html': `<link rel="x" href="/docs/a.css"><h1 id="top">Top</h1>
        <a href="/docs/other.html#there">1</a><a href="#top">2</a><a href="./">3</a><a href="/demo/">4</a>
        <a href="https://else.example/">5</a><img src="data:,"><code>&lt;a href="nowhere"></code>
        <a href="/docs/gone.html">6</a><a href="other.html#gone">7</a><a href="/gone/">8</a>
        <script src="https://else.example/script.js"></script>`,
      'a.css': '',
      'other.html': '<p id="there">',
    });
    assert.deepEqual(checkLinks(folder, { base: '/docs/', isServed: (path) => path === '/demo/' }), [
      'index.html: /docs/gone.html: no such page',
      'index.html: other.html#gone: no such anchor',
      'index.html: /gone/: no such page',
      'index.html: https://else.example/script.js: is loaded from elsewhere',
    ]);
  });

  it('find code blocks that are in no example, and recognise regions of files', () => {
    assert.deepEqual(piecesOf('a();\n  // #region one\n  b();\n\n  c();\n  // #endregion\n'), [
      'a();\n  b();\n\n  c();',
      'b();\n\nc();',
    ]);
    const page = ['# Page', '```js', 'go();', '```', '- item', '  ```ts', '  gone();', '  ```', '```sh', 'x', '```'];
    const blocks = blocksOf('page.md', page.join('\n'));
    assert.deepEqual(
      blocks.map(({ line, language, code }) => [line, language, code]),
      [
        [2, 'js', 'go();'],
        [6, 'ts', 'gone();'],
        [9, 'sh', 'x'],
      ],
    );
    assert.deepEqual(unknownBlocks(blocks, ['a();\n// #region one\ngo();\n// #endregion\n']), [
      'page.md:6: this ts is not in docs/examples',
    ]);
  });

  it('resolve links as the repository writes them, and reject links to missing pages', async () => {
    await write({ 'docs/page.md': '', 'docs/decisions/README.md': '', 'src/code.ts': '' });
    const rules: ((state: object) => void)[] = [];
    const isPage = (file: string) => file.endsWith('.md') && file !== 'docs/gone.md';
    repositoryLinks(
      { core: { ruler: { push: (_: string, rule: (state: object) => void) => rules.push(rule) } } },
      {
        root: folder,
        isPage,
      },
    );
    const follow = (href: string) => {
      const attrs: Record<string, string> = { href };
      const open = {
        type: 'link_open',
        tag: 'a',
        attrGet: (name: string) => attrs[name],
        attrSet: (name: string, value: string) => (attrs[name] = value),
      };
      const state = {
        env: { realPath: join(folder, 'docs/page.md') },
        tokens: [{ children: [open, { type: 'link_close' }] }],
      };
      rules[0]!(state);
      return open.tag === 'a' ? attrs['href'] : open.tag;
    };
    assert.equal(follow('page.md#part'), '/page.md#part');
    assert.equal(follow('decisions/'), '/decisions/index.md');
    assert.equal(follow('../src/code.ts'), 'span');
    assert.equal(follow('https://else.example/'), 'https://else.example/');
    assert.throws(() => follow('gone.md'), /links to gone\.md, which is not there/);
  });
});
