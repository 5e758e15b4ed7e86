import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { before, describe, it } from 'node:test';
import { PROCESSOR_NAME } from '../../../src/ring/index.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What npm would pack, by path; needs a build. */
interface Packed {
  readonly files: readonly { readonly path: string }[];
}

describe('The package', () => {
  let files: Set<string>;

  before(() => {
    // With --ignore-scripts npm packs what is there, rather than build it again.
    const script = process.env.npm_execpath;
    const [program, ...first] = script?.endsWith('npm-cli.js')
      ? ([process.execPath, script] as const)
      : (['npm'] as const);
    const args = [...first, 'pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
    files = new Set(packedFiles(JSON.parse(stdout)));
  });

  it('holds every file that its exports name, and their types', () => {
    const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { exports: unknown };
    const named = targets(exports).filter((path) => !path.includes('*'));
    assert.ok(named.length >= 10, `only ${named.length} targets`);
    assert.deepEqual(
      named.filter((path) => !files.has(path.replace('./', ''))),
      [],
    );
  });

  it('has its version in the name of its processor', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
    assert.equal(PROCESSOR_NAME, `svc-speaker-${version}`);
  });

  it('has programs that are there before anything is built, or npm would not link them in a checkout', () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}service/package.json`, 'utf8')) as { bin: Record<string, string> };
    assert.deepEqual(
      Object.values(bin).filter((path) => path.startsWith('./dist')),
      [],
    );
  });

  it('holds the thread files, the licence and the notice', () => {
    for (const path of ['dist/threads/session.worker.js', 'dist/threads/speaker.worklet.js', 'LICENSE', 'NOTICE']) {
      assert.ok(files.has(path), path);
    }
  });

  it('holds nothing that is only ours', () => {
    const ours = [...files].filter((path) => /^(src|test|scripts|service|demo|bench)\/|tsbuildinfo/.test(path));
    assert.deepEqual(ours, []);
  });

  for (const name of [
    '',
    '/define.js',
    '/assets.js',
    '/protocol.js',
    '/backend.js',
    '/inspector.js',
    '/inspector/recorder.js',
    '/testing.js',
    '/react.js',
    '/vue.js',
  ]) {
    it(`loads svc-speaker${name} in Node, where there is no browser`, () =>
      assert.equal(load(`svc-speaker${name}`), ''));
  }
});

/** Imports a module of the package by its public name, in a process of its own. Returns what went wrong. */
function load(name: string): string {
  const args = ['--input-type=module', '--eval', `await import('${name}')`];
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stderr;
}

/** npm 11 answers with a list or, for a workspace, with an object by name. */
function packedFiles(answer: Packed[] | Record<string, Packed>): string[] {
  return Object.values(answer).flatMap((packed) => packed.files.map(({ path }) => path));
}

function targets(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap(targets);
}
