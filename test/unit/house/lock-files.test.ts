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
  'demo/livekit/room',
  'demo/talk-back/detector',
  'scripts/checks',
  'scripts/manifest',
  'test',
  'test/react-18',
  'test/consumers/apps',
  'test/consumers/apps/astro',
  'test/consumers/apps/frameworks',
  'test/consumers/apps/nuxt',
  'test/consumers/apps/react-18',
  'test/consumers/apps/react-router',
  'test/consumers/apps/rspack',
  'test/consumers/apps/vite-7',
];

interface Manifest {
  readonly engines?: { readonly node: string };
  readonly dependencies?: Record<string, string>;
  readonly overrides?: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
}

interface Locked {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  /** True if only optional dependencies lead to it. npm prints no warning about it. */
  readonly optional?: true;
  readonly hasInstallScript?: true;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/** The oldest Node.js that we support. */
const OLDEST = String(semver.minVersion(manifestOf('.').engines!.node));

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

for (const folder of FOLDERS.filter((one) => !one.startsWith('test/consumers'))) {
  describe(`package.json in ${folder}`, () => {
    // npm warns about an installation script that is neither allowed nor refused.
    it('names each package that has an installation script, and no other', () => {
      const paths = Object.entries(packagesIn(folder)).flatMap(([path, { hasInstallScript }]) =>
        hasInstallScript ? path : [],
      );
      const names = new Set(paths.map((path) => path.split('node_modules/').at(-1)!));
      assert.deepEqual([...names].toSorted(), Object.keys(manifestOf(folder).allowScripts ?? {}).toSorted());
    });

    it('overrides no version', () => {
      assert.equal(manifestOf(folder).overrides, undefined);
    });
  });
}

// `npm start` installs the packages of the root on a bare machine.
for (const folder of ['demo/livekit/room', 'demo/talk-back/detector', 'scripts/checks', 'scripts/manifest', 'test']) {
  it(`the root installs no package of ${folder}`, () => {
    const root = packagesIn('.');
    // Fastify uses semver, too.
    const names = Object.keys(manifestOf(folder).dependencies ?? {}).filter((name) => name !== 'semver');
    assert.deepEqual(
      names.filter((name) => `node_modules/${name}` in root),
      [],
    );
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
    assert.deepEqual(manifestOf(folder).engines, manifestOf('.').engines);
  });
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

function packagesIn(folder: string): Record<string, Locked> {
  const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
}

/** Returns the folders in whose `node_modules` Node looks for the dependencies of a package, nearest first. */
function foldersAbove(path: string): string[] {
  return path === '' ? [''] : [path, ...foldersAbove(path.includes('/') ? posix.dirname(path) : '')];
}
