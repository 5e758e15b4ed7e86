/** Tests the packages as `npm publish` would upload them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { before, describe, it } from 'node:test';
import { NO_NETWORK, npm, parsePacked, type Ran, ROOT } from './consumers.js';

/** Folders of the packages. */
const PACKAGES = ['.', 'service', 'create'];

/** Warnings that `npm publish --dry-run` may print: tests run without an npm login. */
const EXPECTED_WARNING = /^npm warn (publish This command requires you to be logged in|Unknown )/;

for (const folder of PACKAGES) {
  describe(`the package in ${folder}`, () => {
    let published: Ran;
    let isOffline: boolean;
    let files: Set<string>;

    before(async () => {
      const options = ['--dry-run', '--ignore-scripts', '--json'];
      published = await npm(join(ROOT, folder), ['publish', ...options]);
      isOffline = published.code !== 0 && NO_NETWORK.test(published.errors);
      const { code, output, errors } = isOffline ? await npm(join(ROOT, folder), ['pack', ...options]) : published;
      assert.equal(code, 0, errors);
      files = new Set(parsePacked(output).files);
    });

    it('has the version of the other packages, and the metadata that npm shows', async () => {
      const read = async (path: string): Promise<Record<string, unknown>> =>
        JSON.parse(await readFile(join(ROOT, path, 'package.json'), 'utf8')) as Record<string, unknown>;
      const { version, license, description, keywords } = await read(folder);
      assert.equal(version, (await read('.'))['version']);
      assert.ok(license && description && keywords);
      for (const name of ['README.md', 'LICENSE']) assert.ok(files.has(name), `${name} is missing`);
    });

    it('contains every file that its Markdown pages link to', async () => {
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

    it('is published without a warning', (test) => {
      if (isOffline) return test.skip('npm reaches no registry');
      const { output, errors } = published;
      const warnings = `${output}\n${errors}`.split('\n').filter((line) => line.startsWith('npm warn'));
      assert.deepEqual(
        warnings.filter((line) => !EXPECTED_WARNING.test(line)),
        [],
      );
    });
  });
}

/** Returns the targets of a page's relative links and images, without fragments. Omits URLs and absolute paths. */
function relativeLinks(markdown: string): string[] {
  // Code may look like a link: `array[0](value)`.
  const text = markdown.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '`');
  return [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm)]
    .map((match) => (match[1] ?? match[2]!).replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^([a-z][a-z\d+.-]*:|\/)/i.test(link));
}
