import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Consumers, type Ran, ROOT, runNode } from './consumers.js';
import { isWhole } from './matrix.js';

const { exports: subpaths } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { default: string }>;
};
/** Module specifiers that can be imported in Node.js; the thread files run only in browsers. */
const IMPORTED = Object.keys(subpaths)
  .filter((path) => !path.endsWith('.json') && !path.includes('*'))
  .map((path) => path.replace(/^\./, 'svc-speaker'));

/** Part of the custom-elements manifest that the tests read. */
interface Manifest {
  readonly modules: readonly {
    readonly path: string;
    readonly declarations: readonly {
      readonly name: string;
      readonly tagName?: string;
      readonly members?: readonly { readonly name: string }[];
      readonly attributes?: readonly { readonly name: string; readonly fieldName?: string }[];
    }[];
    readonly exports: readonly { readonly kind: string; readonly name: string }[];
  }[];
}

/**
 * Compilers and settings that users may have. `ours` selects the repository's compiler instead of that of the apps.
 * TypeScript 5 needs three times as long to check our types and those of React, Vue and Playwright.
 */
const COMPILERS = [
  ...(isWhole
    ? [
        { title: 'TypeScript 5, nodenext', ours: false, project: 'types/nodenext.json' },
        { title: 'TypeScript 5, node10', ours: false, project: 'types/node10.json' },
        { title: 'TypeScript 7, nodenext', ours: true, project: 'types/nodenext.json' },
        { title: 'TypeScript 7, React 18', ours: true, project: 'react-18/types.json' },
      ]
    : []),
  { title: 'TypeScript 7, bundler', ours: true, project: 'types/bundler.json' },
];

/** Apps that render a wrapper to markup on a server. */
const SERVERS = [
  { title: 'React 19', folder: 'react-19', flag: 'controls=""' },
  ...(isWhole ? [{ title: 'React 18', folder: 'react-18', flag: 'controls="true"' }] : []),
  { title: 'Vue 3', folder: 'vue', flag: 'controls' },
];

/**
 * Declares the tests of the tarball and of its installed package that need no browser.
 *
 * @param skip - Reason to skip the tests that need the apps; false to run them.
 */
export function tarball(consumers: Consumers, skip: string | false): void {
  describe('tarball', () => {
    const { files } = consumers;

    it('contains every exported file, the licence files and the top-level docs', () => {
      const promised = Object.values(subpaths).map((target) => (typeof target === 'string' ? target : target.default));
      for (const target of [...promised, './LICENSE', './NOTICE', './README.md', './CHANGELOG.md']) {
        const [start = '', end = ''] = target.slice(2).split('*');
        assert.ok(
          files.some((file) => file.startsWith(start) && file.endsWith(end)),
          `${target} is missing`,
        );
      }
    });

    it('contains no sources, tests or tools', () => {
      const built = /^dist\/(.+\.(js|js\.map|d\.ts|json)|cdn\/LICENSES\.txt)$/;
      const read = /^((service\/)?README\.md|docs\/.+|CHANGELOG\.md|CONTRIBUTING\.md|LICENSE|NOTICE|package\.json)$/;
      assert.deepEqual(
        files.filter((file) => !built.test(file) && !read.test(file)),
        [],
      );
    });
  });

  describe('installed package', { concurrency: 2 }, () => {
    const apps = consumers.apps ?? '';

    const installed = join(apps, 'node_modules', 'svc-speaker');
    const readJson = async <T>(path: string): Promise<T> =>
      JSON.parse(await readFile(join(installed, path), 'utf8')) as T;

    it('has a valid manifest that lists only what a page can import, set and call', { skip }, async () => {
      succeeded(await runNode(apps, ['manifest.js', installed]));
      const { modules } = await readJson<Manifest>('dist/custom-elements.json');
      const exported = new Set(
        Object.values(subpaths).map((target) => (typeof target === 'string' ? target : target.default)),
      );
      for (const { path, declarations, exports } of modules) {
        assert.ok(exported.has(`./${path}`), `${path} is not exported`);
        const names = (await import(pathToFileURL(join(installed, path)).href)) as Record<
          string,
          { prototype: object }
        >;
        for (const { kind, name } of exports)
          if (kind === 'js') assert.ok(name in names, `${path} exports no value ${name}`);
        for (const { name, members = [], attributes = [] } of declarations) {
          const properties = [
            ...members.map((member) => member.name),
            ...attributes.map(({ fieldName }) => fieldName!),
          ];
          assert.deepEqual(
            properties.filter((property) => /^[#_]/.test(property)),
            [],
          );
          // Event objects get their properties on construction. `sinkId` needs audio devices.
          if (attributes.length === 0) continue;
          const absent = properties.filter((property) => !(property in names[name]!.prototype));
          assert.deepEqual(
            absent,
            ['sinkId', 'setSinkId'].filter((property) => absent.includes(property)),
          );
        }
      }
      const tags = modules.flatMap(({ declarations }) => declarations.flatMap(({ tagName }) => tagName ?? []));
      assert.deepEqual(tags, ['svc-speaker', 'svc-reader', 'svc-speaker-inspector']);
    });

    it('describes its elements to editors', { skip }, async () => {
      const { modules } = await readJson<Manifest>('dist/custom-elements.json');
      const elements = modules.flatMap(({ declarations }) => declarations.filter(({ tagName }) => tagName));
      const expectedTags = elements.map(({ tagName, attributes }) => [tagName, attributes?.map(({ name }) => name)]);
      type Tags = { name: string; attributes: { name: string }[] }[];
      const tagsOf = (tags: Tags): unknown =>
        tags.map(({ name, attributes }) => [name, attributes.map((one) => one.name)]);
      const vsCode = await readJson<{ tags: Tags }>('dist/vscode.html-custom-data.json');
      assert.deepEqual(tagsOf(vsCode.tags), expectedTags);
      const { 'web-types': path } = await readJson<{ 'web-types': string }>('package.json');
      const webTypes = await readJson<{ contributions: { html: { elements: Tags } } }>(path);
      assert.deepEqual(tagsOf(webTypes.contributions.html.elements), expectedTags);
    });

    for (const { title, ours, project } of COMPILERS) {
      it(`compiles in ${title}`, { skip }, async () => {
        const compiler = join(ours ? ROOT : apps, 'node_modules', 'typescript', 'bin', 'tsc');
        succeeded(await runNode(apps, [compiler, '--project', project]));
      });
    }

    it('lets Node.js import each of its modules', { skip }, async () => {
      const script = `
        for (const subpath of ${JSON.stringify(IMPORTED)}) {
          if (Object.keys(await import(subpath)).length === 0) console.log(subpath);
        }`;
      const { output } = succeeded(await runNode(apps, ['--input-type=module', '--eval', script]));
      const tags = ['preact', 'solid', 'svelte'].map((name) => `svc-speaker/${name}.js`);
      assert.deepEqual(output.trim().split('\n'), ['svc-speaker/define.js', ...tags], 'the modules without exports');
    });

    for (const { title, folder, flag } of SERVERS) {
      it(`renders on a server in ${title}`, { skip }, async () => {
        const { output } = succeeded(await runNode(join(apps, folder), ['server.js']));
        assert.equal(output, `<svc-speaker src="wss://example.com/" text="Hello." ${flag}></svc-speaker>`);
      });
    }
  });
}

function succeeded(ran: Ran): Ran {
  assert.equal(ran.code, 0, ran.output + ran.errors);
  return ran;
}
