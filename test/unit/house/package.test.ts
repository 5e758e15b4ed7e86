import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { PROCESSOR_NAME } from '../../../src/ring/index.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Subpaths of the modules that users import. */
const ENTRIES = [
  '',
  '/define.js',
  '/assets.js',
  '/protocol.js',
  '/backend.js',
  '/inspector.js',
  '/testing.js',
  '/react.js',
  '/vue.js',
  '/messages/de.js',
];

/** Report of npm about a package that it would pack. */
interface Packed {
  readonly files: readonly { readonly path: string }[];
}

describe('The package', () => {
  let files: Set<string>;
  let loaded: Record<string, string>;

  before(() => {
    loaded = load();
    // With --ignore-scripts, npm packs the existing build instead of building again.
    const script = process.env.npm_execpath;
    const [program, ...first] = script?.endsWith('npm-cli.js')
      ? ([process.execPath, script] as const)
      : (['npm'] as const);
    const args = [...first, 'pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
    files = new Set(packedFiles(JSON.parse(stdout)));
  });

  it('includes its version in the name of its audio processor', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
    assert.equal(PROCESSOR_NAME, `svc-speaker-${version}`);
  });

  it('has programs that exist before a build, so that npm links them in a checkout', () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}service/package.json`, 'utf8')) as { bin: Record<string, string> };
    assert.deepEqual(
      Object.values(bin).filter((path) => /^(\.\/)?dist/.test(path)),
      [],
    );
  });

  it('names the types of each module twice, because `moduleResolution: node` does not read `exports`', () => {
    const { exports, types, typesVersions } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
      exports: Record<string, string | { types: string }>;
      types: string;
      typesVersions: { '*': Record<string, string[]> };
    };
    const wanted = Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [[path.replace('./', ''), [target.types]] as const],
    );
    const found: Record<string, string[]> = { '.': [types], ...typesVersions['*'] };
    assert.ok(wanted.length > 1);
    assert.deepEqual(
      wanted.filter(([path, file]) => !isDeepStrictEqual(found[path], file)),
      [],
    );
  });

  it('holds the thread files, the licence and the notice', () => {
    for (const path of ['dist/threads/session.worker.js', 'dist/threads/speaker.worklet.js', 'LICENSE', 'NOTICE']) {
      assert.ok(files.has(path), path);
    }
  });

  it('contains no sources, tests or tools', () => {
    const ours = [...files].filter(
      (path) => /^(src|test|scripts|service|demo|bench)\/|tsbuildinfo/.test(path) && path !== 'service/README.md',
    );
    assert.deepEqual(ours, []);
  });

  it('has no source maps in the testing kit: reports would name sources that it does not contain', () => {
    const kit = [...files].filter((path) => /^dist\/testing\/.*\.js$/.test(path));
    assert.ok(kit.length > 0);
    const mapped = kit.filter((path) => readFileSync(ROOT + path, 'utf8').includes('sourceMappingURL'));
    assert.deepEqual(mapped, []);
  });

  it('contains no path of the machine that built it', () => {
    const withPath = [...files].filter((path) => {
      const text = readFileSync(ROOT + path, 'utf8');
      return text.includes(ROOT) || text.includes('file://');
    });
    assert.deepEqual(withPath, []);
  });

  for (const name of ENTRIES) {
    it(`exports svc-speaker${name}, which loads in Node.js`, () => {
      assert.equal(loaded[name], 'loaded');
    });
  }
});

/** Imports the entries by their public names in another process. Returns `loaded` or the error for each entry. */
function load(): Record<string, string> {
  const script = `
    const outcome = (name) => import('svc-speaker' + name).then(() => 'loaded', String);
    const outcomes = ${JSON.stringify(ENTRIES)}.map(async (name) => [name, await outcome(name)]);
    console.log(JSON.stringify(Object.fromEntries(await Promise.all(outcomes))));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stdout) as Record<
    string,
    string
  >;
}

/** Returns the paths of the packed files. npm 11 reports a list or, for a workspace, an object with names as keys. */
function packedFiles(answer: Packed[] | Record<string, Packed>): string[] {
  return Object.values(answer).flatMap((packed) => packed.files.map(({ path }) => path));
}
