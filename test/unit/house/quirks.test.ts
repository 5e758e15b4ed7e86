import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXPECTATIONS = 'test/engines/expectations';
const ENGINES = ['chromium', 'firefox', 'webkit'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A row of the table of workarounds in docs/browsers.md. */
interface Quirk {
  readonly id: string;
  readonly file: string;
  readonly test: string;
}

const quirks: Quirk[] = [
  ...read('docs/browsers.md').matchAll(/^\| `([a-z-]+)` +\|.*\| `([^`|]+)` +\| ([^|]+?) +\|$/gm),
].map(([, id, file, test]) => ({ id: id!, file: file!, test: test! }));

/** Returns the ids that sources name after the word “quirk”, with the files. */
function namedIn(folder: string): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const name of readdirSync(join(ROOT, folder), { recursive: true }) as string[]) {
    if (!name.endsWith('.ts') || name.endsWith('.generated.ts')) continue;
    const file = join(folder, name);
    for (const [, id] of read(file).matchAll(/[Qq]uirk `([a-z-]+)`/g))
      named.set(id!, [...(named.get(id!) ?? []), file]);
  }
  return named;
}

/** Returns the ids with which the tests of an engine begin, including those of shared files. */
function testedIn(engine: string): string[] {
  const shared = ['closing.ts', 'gesture.ts'].map((name) => read(join(EXPECTATIONS, name))).join('\n');
  const own = read(join(EXPECTATIONS, `${engine}.test.ts`));
  const called = [...shared.matchAll(/export function (expect\w+)\(\): void \{\n  it\('([a-z-]+):/g)]
    .filter(([, name]) => own.includes(`${name}();`))
    .map(([, , id]) => id!);
  return [...called, ...[...own.matchAll(/^  it\('([a-z-]+):/gm)].map(([, id]) => id!)];
}

describe('Workarounds for engines', () => {
  it('are listed in docs/browsers.md, each once', () => {
    assert.ok(quirks.length > 15);
    assert.equal(new Set(quirks.map(({ id }) => id)).size, quirks.length);
  });

  for (const { id, file } of quirks) {
    it(`are in the file that docs/browsers.md names: ${id}`, () => assert.ok(read(file).includes(`\`${id}\``), file));
  }

  it('are listed if the code names them', () => {
    const known = quirks.map(({ id }) => id);
    const named = [...namedIn('src'), ...namedIn('worklet')];
    assert.deepEqual(
      named.filter(([id]) => !known.includes(id)),
      [],
    );
  });

  for (const engine of ENGINES) {
    it(`have the tests in ${engine} that docs/browsers.md names, and no others`, () => {
      const listed = quirks.filter(({ test }) => test.split(', ').includes(engine)).map(({ id }) => id);
      assert.deepEqual(testedIn(engine).toSorted(), listed.toSorted());
    });
  }

  it('have a test, or a reason why there is none', () => {
    const unexplained = quirks.filter(({ test }) => !/^none: ./.test(test) && !ENGINES.includes(test.split(', ')[0]!));
    assert.deepEqual(unexplained, []);
  });
});
