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

describe('service/src', () => {
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
