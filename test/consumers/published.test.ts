/** The packages as `npm publish` would send them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { before, describe, it } from 'node:test';
import { NO_NETWORK, npm, parsePacked, ROOT } from './consumers.js';

/** Folders of the packages. */
const PACKAGES = ['.', 'service', 'create'];

/** The only thing that npm may say against a package: nobody who runs tests is logged in. */
const EXPECTED_WARNING = /^npm warn (publish This command requires you to be logged in|Unknown )/;

for (const folder of PACKAGES) {
  describe(`the package in ${folder}`, () => {
    let files: Set<string>;

    before(async () => {
      const { code, output, errors } = await npm(join(ROOT, folder), [
        'pack',
        '--dry-run',
        '--ignore-scripts',
        '--json',
      ]);
      assert.equal(code, 0, errors);
      files = new Set(parsePacked(output).files);
    });

    it('has the version of the others, and all that npm shows of it', async () => {
      const read = async (path: string): Promise<Record<string, unknown>> =>
        JSON.parse(await readFile(join(ROOT, path, 'package.json'), 'utf8')) as Record<string, unknown>;
      const { version, license, description, keywords } = await read(folder);
      assert.equal(version, (await read('.'))['version']);
      assert.ok(license && description && keywords);
      for (const name of ['README.md', 'LICENSE']) assert.ok(files.has(name), `${name} is missing`);
    });

    it('has every file that its pages link to', async () => {
      const pages = [...files].filter((file) => file.endsWith('.md'));
      assert.ok(pages.includes('README.md'));
      const dead: string[] = [];
      for (const page of pages) {
        const text = await readFile(join(ROOT, folder, page), 'utf8');
        for (const link of relativeLinks(text)) {
          const target = posix.join(posix.dirname(page), link);
          const isThere = link.endsWith('/') ? files.has(`${target}README.md`) : files.has(target);
          if (!isThere) dead.push(`${page}: ${link}`);
        }
      }
      assert.deepEqual(dead, []);
    });

    it('is published without a warning', async (test) => {
      const { code, output, errors } = await npm(join(ROOT, folder), ['publish', '--dry-run', '--ignore-scripts']);
      if (code !== 0 && NO_NETWORK.test(errors)) return test.skip('npm reaches no registry');
      assert.equal(code, 0, errors);
      const warnings = `${output}\n${errors}`.split('\n').filter((line) => line.startsWith('npm warn'));
      assert.deepEqual(
        warnings.filter((line) => !EXPECTED_WARNING.test(line)),
        [],
      );
    });
  });
}

/** Targets of the links and images of a page that are no addresses and no anchors, without their anchors. */
function relativeLinks(markdown: string): string[] {
  // Code is no link: `array[0](value)`.
  const text = markdown.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '`');
  return [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm)]
    .map((match) => (match[1] ?? match[2]!).replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^([a-z][a-z\d+.-]*:|\/)/i.test(link));
}
