import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it } from 'node:test';

const SOURCES = new URL('../src/', import.meta.url);

/** Rooms of service/src, lowest first, as in docs/architecture.md. A room imports only from rooms before it. */
const ROOMS = 'store account api speech session stream avatar room operations settings admin transfer dashboard'.split(
  ' ',
);

/** Files beside the rooms that every room may import. */
const SHARED = ['clock.ts', 'limits.ts'];

const SPECIFIER = /(?:\bfrom|\bimport\(?)\s*'(\.[^']+)\.js'/g;

/** Files of service/src that each file imports, types included. */
const imports = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => {
      const specifiers = readFileSync(new URL(file, SOURCES), 'utf8').matchAll(SPECIFIER);
      const targets = Array.from(specifiers, ([, path]) => posix.join(posix.dirname(file), `${path}.ts`));
      return [file, targets.filter((target) => !target.startsWith('..'))] as const;
    }),
);

/**
 * Height of a file: its room's index in {@link ROOMS}; -1 if it is shared; above all rooms for other files beside them.
 */
function heightOf(file: string): number {
  if (SHARED.includes(file)) return -1;
  return file.includes('/') ? ROOMS.indexOf(posix.dirname(file)) : ROOMS.length;
}

/** Returns the files of an import cycle that starts and ends at the last of `path`, or null. */
function findCircle(path: readonly string[], done: Set<string>): readonly string[] | null {
  const file = path.at(-1)!;
  if (path.indexOf(file) < path.length - 1) return path.slice(path.indexOf(file));
  if (done.has(file)) return null;
  for (const target of imports.get(file) ?? []) {
    const circle = findCircle([...path, target], done);
    if (circle) return circle;
  }
  done.add(file);
  return null;
}

describe('service/src', () => {
  it('has no import circle', () => {
    const done = new Set<string>();
    for (const file of imports.keys()) assert.equal(findCircle([file], done)?.join(' → ') ?? null, null);
  });

  it('imports from lower rooms only', () => {
    assert.deepEqual(
      [...new Set([...imports.keys()].map((file) => posix.dirname(file)))].sort(),
      ['.', ...ROOMS].sort(),
    );
    const upward = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => heightOf(target) > heightOf(file)).map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(upward, []);
  });
});
