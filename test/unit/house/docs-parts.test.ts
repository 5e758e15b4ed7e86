import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { tableOf, withPart } from '../../../scripts/docs-parts.mjs';

const ROOT = new URL('../../../', import.meta.url);

describe('the parts of pages that programs write', () => {
  it('writes rows as a table: one column for each member of any row, and nothing for a value that is not known', () => {
    assert.equal(
      tableOf([
        { player: 'a|b', latencyMs: 2.5, isExact: true },
        { player: 'other', latencyMs: NaN, 'at most': null },
      ]),
      [
        String.raw`| player | latency ms | is exact | at most |`,
        String.raw`| ------ | ---------- | -------- | ------- |`,
        String.raw`| a\|b   | 2.5        | yes      |         |`,
        String.raw`| other  |            |          |         |`,
      ].join('\n'),
    );
  });

  it('replaces the text of one part, and nothing else', () => {
    const page = (text: string) =>
      `# Page\n\n<!-- other -->\n\nOther.\n\n<!-- end -->\n\n<!-- bench/ring -->\n\n${text}\n\n<!-- end -->\n\nEnd.\n`;
    assert.equal(withPart(page('Old.'), 'bench/ring', 'New.'), page('New.'));
    assert.equal(withPart(page('Old.'), 'bench/none', 'New.'), null);
    assert.throws(() => withPart('<!-- bench/ring -->\n', 'bench/ring', 'New.'), /"bench\/ring" has no end/);
  });

  it('has a program for each part', () => {
    const pages = ['docs/measurements.md', 'docs/performance.md'].map((page) =>
      readFileSync(new URL(page, ROOT), 'utf8'),
    );
    const parts = pages.flatMap((page) => [...page.matchAll(/<!-- (\w+\/([\w-]+)).*? -->/g)]);
    assert.ok(parts.length > 40, `there are only ${parts.length}`);
    const orphans = parts.filter(([, path, name]) => {
      if (path === 'scripts/wpt') return false;
      const folder = new URL(`${path}/`, ROOT);
      const sources = readdirSync(folder).filter((file) => /\.m?ts$/.test(file));
      return !sources.some((file) => readFileSync(new URL(file, folder), 'utf8').includes(`${name}: `));
    });
    assert.deepEqual(
      orphans.map(([part]) => part),
      [],
    );
  });
});
