import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders of all lock files except parcel, angular and jest, whose packages some registries have in part only. */
const FOLDERS = [
  '.',
  'docs',
  'docs/examples/vendors',
  'bench',
  'bench/peers',
  'test/consumers/apps',
  'test/consumers/apps/frameworks',
  'test/consumers/apps/react-18',
  'test/consumers/apps/vite-7',
];

interface Locked {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

for (const folder of FOLDERS) {
  describe(`package-lock.json in ${folder}`, () => {
    // npm leaves packages for other systems out if their registry lacks them. `npm ci` then fails everywhere.
    it('has an entry for each dependency, so that `npm ci` works on every system', () => {
      const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
      const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
      const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !foldersAbove(path).some((above) => posix.join(above, 'node_modules', name) in packages))
          .map((name) => `${path} needs ${name}`),
      );
      assert.deepEqual(missing, []);
    });
  });
}

/** Returns the folders in whose `node_modules` Node looks for the dependencies of a package, nearest first. */
function foldersAbove(path: string): string[] {
  return path === '' ? [''] : [path, ...foldersAbove(path.includes('/') ? posix.dirname(path) : '')];
}
