import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();

/** The classes whose doc comments the manifest joins. */
const CLASSES = ['src/element/svc-speaker-element.ts', 'src/controls/controls.ts'];
/** Their doc comments. */
const element = CLASSES.map(read)
  .flatMap((text) => text.match(/^\/\*\*$[^]*?^ \*\/$/gm) ?? [])
  .join('\n');
const sources = ['src/element/', 'src/controls/']
  .flatMap((folder) => readdirSync(new URL(folder, root)).map((file) => folder + file))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(file).replace(/^\/\*\*$[^]*?^ \*\/$/gm, ''))
  .join('\n');
const theming = read('docs/theming.md');

describe('The styling interface', () => {
  it('is documented completely in doc comments: parts', () => {
    assert.deepEqual(matches(element, /@csspart (\S+)/g), matches(sources, /<[^>]* ?part="([a-z-]+)"/g));
  });

  it('is documented completely in doc comments: custom properties', () => {
    assert.deepEqual(matches(element, /@cssprop (\S+)/g), matches(sources, /var\((--svc-speaker-[a-z-]+)/g));
  });

  for (const tag of ['csspart', 'cssprop', 'slot', 'cssState']) {
    it(`is documented completely in docs/theming.md: ${tag}`, () => {
      const names = matches(element, new RegExp(`@${tag} (\\S+)`, 'g'));
      assert.ok(names.length > 5);
      assert.deepEqual(
        names.filter((name) => !theming.includes(`\`${name}\``)),
        [],
      );
    });
  }

  it('has every state that docs/theming.md names', () => {
    const names = matches(element, /@cssState (\S+)/g);
    assert.deepEqual(
      matches(theming, /:state\(([a-z]+)\)/g).filter((name) => !names.includes(name)),
      [],
    );
  });

  it('has every part and custom property that a theme uses', () => {
    const folder = new URL('docs/themes/', root);
    const themes = readdirSync(folder).filter((file) => file.endsWith('.css'));
    assert.equal(themes.length, 3);
    const css = themes.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('');
    const known = [...matches(element, /@csspart (\S+)/g), ...matches(element, /@cssprop (\S+)/g)];
    const used = [...matches(css, /::part\(([a-z]+)\)/g), ...matches(css, /(--svc-speaker-[a-z-]+)/g)];
    assert.deepEqual(
      used.filter((name) => !known.includes(name)),
      [],
    );
  });
});
