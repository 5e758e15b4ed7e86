import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpFor } from '../../src/admin/command-help.js';
import { SHAPES } from '../../src/admin/read-admin-arguments.js';

describe('helpFor', () => {
  for (const [name, { options, words }] of Object.entries(SHAPES)) {
    const help = helpFor([...name.split(' '), '--help']);

    it(`explains every option and word of ${name}, and no other`, () => {
      const explained = Array.from(help.matchAll(/^ {2}--([a-z-]+)/gm), ([, option]) => option);
      assert.deepEqual(new Set(explained), new Set([...Object.keys(options), 'data', 'database-url']));
      const usage = help.split('\n')[0]!;
      for (const option of Object.keys(options)) assert.ok(usage.includes(`--${option}`), usage);
      for (const word of words) assert.match(help, new RegExp(`^ {2}${word.replace(/[[\]]/g, '')} `, 'm'));
    });

    it(`mentions no other command in the help of ${name}`, () => {
      assert.match(help, new RegExp(`^Usage: svc-service ${name}[ \n]`));
      assert.equal(help.match(/svc-service \w+/g)!.length, 1);
    });
  }

  it('fits into 120 columns', () => {
    for (const args of [[], ['start'], ['keys'], ['secrets'], ...Object.keys(SHAPES).map((name) => name.split(' '))]) {
      for (const line of helpFor(args).split('\n')) assert.ok(line.length <= 120, line);
    }
  });

  it('lists the commands that begin with the given word, or all if none is given', () => {
    const keys = helpFor(['keys', '--help']);
    for (const name of Object.keys(SHAPES)) {
      assert.equal(keys.includes(`svc-service ${name}`), name.startsWith('keys '), name);
      assert.ok(helpFor(['--help']).includes(`svc-service ${name}`), name);
    }
  });

  it('shows only the help of start with -h', () => {
    assert.match(helpFor(['start', '-h']), /^Usage: svc-service start \[--port N\]/);
    assert.doesNotMatch(helpFor(['start', '-h']), /keys create/);
  });
});
