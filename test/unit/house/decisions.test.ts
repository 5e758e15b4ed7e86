import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const FOLDER = new URL('../../../docs/decisions/', import.meta.url);

describe('The list of decisions', () => {
  it('links each record once, with its number', () => {
    const list = readFileSync(new URL('README.md', FOLDER), 'utf8');
    const listed = [...list.matchAll(/^(\d+)\. \[.+\]\((.+)\)$/gm)].map(([, number, file]) => [Number(number), file]);
    const records = readdirSync(FOLDER).filter((file) => file !== 'README.md');
    assert.ok(records.length > 20);
    assert.deepEqual(
      listed,
      records.toSorted().map((file) => [Number.parseInt(file, 10), file]),
    );
  });
});
