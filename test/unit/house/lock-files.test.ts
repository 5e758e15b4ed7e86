import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
// @ts-expect-error: a package without types
import semver from 'semver';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders of all lock files except parcel, angular and jest, whose packages some registries have in part only. */
const FOLDERS = [
  '.',
  'docs',
  'docs/examples/vendors',
  'bench',
  'bench/peers',
  'test/consumers/apps',
  'test/consumers/apps/astro',
  'test/consumers/apps/frameworks',
  'test/consumers/apps/nuxt',
  'test/consumers/apps/react-18',
  'test/consumers/apps/react-router',
  'test/consumers/apps/rspack',
  'test/consumers/apps/vite-7',
];

interface Locked {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  /** True if only optional dependencies lead to it. npm prints no warning about it. */
  readonly optional?: true;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/** The oldest Node.js that we support. */
const OLDEST = String(semver.minVersion(enginesOf('.')));

for (const folder of FOLDERS) {
  describe(`package-lock.json in ${folder}`, () => {
    // npm leaves packages for other systems out if their registry lacks them. `npm ci` then fails everywhere.
    it('has an entry for each dependency, so that `npm ci` works on every system', () => {
      const packages = packagesIn(folder);
      const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !foldersAbove(path).some((above) => posix.join(above, 'node_modules', name) in packages))
          .map((name) => `${path} needs ${name}`),
      );
      assert.deepEqual(missing, []);
    });
  });
}

// The other folders have tools of tests, examples and benchmarks. Users install none of them.
it(`npm prints no EBADENGINE for the root's packages on Node.js ${OLDEST}`, () => {
  const tooNew = Object.entries(packagesIn('.')).flatMap(([path, { version, engines, optional }]) =>
    optional || semver.satisfies(OLDEST, engines?.node ?? '*') ? [] : `${path} ${version} needs ${engines!.node}`,
  );
  assert.deepEqual(tooNew, []);
});

for (const folder of ['service', 'create']) {
  it(`${folder} names the same versions of Node.js as the package of the element`, () => {
    assert.equal(enginesOf(folder), enginesOf('.'));
  });
}

function enginesOf(folder: string): string {
  const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { engines: { node: string } }).engines.node;
}

function packagesIn(folder: string): Record<string, Locked> {
  const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
}

/** Returns the folders in whose `node_modules` Node looks for the dependencies of a package, nearest first. */
function foldersAbove(path: string): string[] {
  return path === '' ? [''] : [path, ...foldersAbove(path.includes('/') ? posix.dirname(path) : '')];
}
