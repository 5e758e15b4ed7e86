import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['src', 'worklet', 'service/src'];

/** Imports of any form: static, of types, re-exports, and `import()`, which the linter's `import/no-cycle` ignores. */
const SPECIFIER = /(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)\.js'/g;

/** Returns the files that each file imports. */
function readImports(): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true }) as string[]) {
      if (!name.endsWith('.ts')) continue;
      const file = join(ROOT, folder, name);
      const imported = [...readFileSync(file, 'utf8').matchAll(SPECIFIER)]
        .map(([, specifier]) => join(dirname(file), `${specifier}.ts`))
        .filter((path) => existsSync(path));
      imports.set(file, imported);
    }
  }
  return imports;
}

/** Returns the import cycles, each as the path that leads back to its first file. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].map(nameOf).join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

function nameOf(file: string): string {
  return relative(ROOT, file);
}

describe('Imports', () => {
  it('are found in every form', () => {
    const text = `import type { A } from './a.js';\nexport * from '../b.js';\nconst c = () => import('./c.js');\nimport './d.js';`;
    assert.deepEqual(
      [...text.matchAll(SPECIFIER)].map(([, specifier]) => specifier),
      ['./a', '../b', './c', './d'],
    );
  });

  it('that form a cycle are found', () => {
    const imports = new Map([
      ['/a', ['/b']],
      ['/b', ['/c']],
      ['/c', ['/b']],
    ]);
    assert.equal(circlesOf(imports).length, 1);
  });

  it('form no cycle, including dynamic imports and types', () => assert.deepEqual(circlesOf(readImports()), []));
});
