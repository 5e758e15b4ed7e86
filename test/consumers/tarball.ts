import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Consumers, type Ran, ROOT, runNode } from './consumers.js';

const { exports: subpaths } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { default: string }>;
};
/** What a program in Node may import: threads are for browsers. */
const IMPORTED = Object.keys(subpaths)
  .filter((path) => !path.endsWith('.json') && !path.includes('*'))
  .map((path) => path.replace(/^\./, 'svc-speaker'));

/** Compilers and settings that somebody else may have; the first is that of the apps, the second ours. */
const COMPILERS = [
  { title: 'TypeScript 5, nodenext', ours: false, project: 'types/nodenext.json' },
  { title: 'TypeScript 7, nodenext', ours: true, project: 'types/nodenext.json' },
  { title: 'TypeScript 7, bundler', ours: true, project: 'types/bundler.json' },
  { title: 'TypeScript 7, React 18', ours: true, project: 'react-18/types.json' },
];

/** Servers that render the wrappers to markup. */
const SERVERS = [
  { title: 'React 19', folder: 'react-19', flag: 'controls=""' },
  { title: 'React 18', folder: 'react-18', flag: 'controls="true"' },
  { title: 'Vue 3', folder: 'vue', flag: 'controls' },
];

/**
 * Declares the tests of the tarball, and of what can be had from it without a browser.
 *
 * @param skip - Why not to test what needs the apps; false to test.
 */
export function tarball(consumers: Consumers, skip: string | false): void {
  describe('tarball', () => {
    const { files } = consumers;

    it('has every file that the package promises', () => {
      const promised = Object.values(subpaths).map((target) => (typeof target === 'string' ? target : target.default));
      for (const target of [...promised, './LICENSE', './NOTICE', './README.md', './CHANGELOG.md']) {
        const [start = '', end = ''] = target.slice(2).split('*');
        assert.ok(
          files.some((file) => file.startsWith(start) && file.endsWith(end)),
          `${target} is missing`,
        );
      }
    });

    it('has no sources, tests or tools', () => {
      const meant = /^(dist\/.+\.(js|js\.map|d\.ts|json)|package\.json|README\.md|CHANGELOG\.md|LICENSE|NOTICE)$/;
      assert.deepEqual(
        files.filter((file) => !meant.test(file)),
        [],
      );
    });
  });

  describe('installed package', { concurrency: 2 }, () => {
    const apps = consumers.apps ?? '';

    it('has a manifest by the schema, and of the modules that are there', { skip }, async () => {
      const installed = join(apps, 'node_modules', 'svc-speaker');
      succeeded(await runNode(apps, ['manifest.js', installed]));
      const manifest = JSON.parse(await readFile(join(installed, 'dist', 'custom-elements.json'), 'utf8')) as {
        modules: { path: string; declarations?: { tagName?: string }[] }[];
      };
      for (const { path } of manifest.modules) assert.ok(existsSync(join(installed, path)), `${path} is missing`);
      const tags = manifest.modules.flatMap(({ declarations = [] }) =>
        declarations.flatMap(({ tagName }) => tagName ?? []),
      );
      assert.deepEqual(tags, ['svc-speaker', 'svc-speaker-inspector']);
    });

    for (const { title, ours, project } of COMPILERS) {
      it(`compiles in ${title}`, { skip }, async () => {
        const compiler = join(ours ? ROOT : apps, 'node_modules', 'typescript', 'bin', 'tsc');
        succeeded(await runNode(apps, [compiler, '--project', project]));
      });
    }

    it('can be imported in Node, each of its modules', { skip }, async () => {
      const script = `
        for (const subpath of ${JSON.stringify(IMPORTED)}) {
          const { default: _, ...names } = await import(subpath);
          if (Object.keys(names).length === 0) console.log(subpath);
        }`;
      const { output } = succeeded(await runNode(apps, ['--input-type=module', '--eval', script]));
      assert.equal(output.trim(), 'svc-speaker/define.js', 'the only module without exports');
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
