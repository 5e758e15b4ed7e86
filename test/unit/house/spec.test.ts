import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { before, describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Sections of the interface specification with requirements for the service. */
const SECTIONS = '1, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 3, 4.1, 4.2, 4.3, 4.4, 5, 6, 7.1, 7.2, 7.3, 8, 9'.split(', ');

/** Folder with the tests of the service. */
const FOLDER = 'service/test';

describe('The interface specification', () => {
  let tested: Set<string>;

  before(() => {
    const suites = readdirSync(ROOT + FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(`${ROOT}${FOLDER}/${file}`, 'utf8').matchAll(/describe\(\s*['"`]spec ([\d., ]+):/g),
      ]);
    tested = new Set(suites.flatMap((suite) => suite[1]!.split(',').map((section) => section.trim())));
  });

  for (const section of SECTIONS) {
    it(`has tests for section ${section}`, () => assert.ok(tested.has(section)));
  }
});
