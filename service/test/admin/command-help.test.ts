import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpFor } from '../../src/admin/command-help.js';
import { COMMANDS } from '../../src/admin/commands.js';

describe('helpFor', () => {
  for (const [name, { arguments: explanations }] of Object.entries(COMMANDS)) {
    const help = helpFor([...name.split(' '), '--help']);

    it(`explains every option and word of ${name}, and where the data is`, () => {
      assert.equal(help.split('\n')[0], ['Usage: svc-service', name, ...Object.keys(explanations)].join(' '));
      for (const argument of [...Object.keys(explanations), '--data DIR', '--database-url URL']) {
        assert.ok(help.includes(`\n  ${argument.replace(/^\[|\]$/g, '')} `), argument);
      }
    });

    it(`mentions no other command in the help of ${name}`, () => {
      assert.match(help, new RegExp(`^Usage: svc-service ${name}[ \n]`));
      assert.equal(help.match(/svc-service \w+/g)!.length, 1);
    });
  }

  it('fits into 120 columns', () => {
    for (const args of [
      [],
      ['start'],
      ['keys'],
      ['secrets'],
      ...Object.keys(COMMANDS).map((name) => name.split(' ')),
    ]) {
      for (const line of helpFor(args).split('\n')) assert.ok(line.length <= 120, line);
    }
  });

  it('lists the commands that begin with the given word, or all if none is given', () => {
    const keys = helpFor(['keys', '--help']);
    for (const name of Object.keys(COMMANDS)) {
      assert.equal(keys.includes(`svc-service ${name}`), name.startsWith('keys '), name);
      assert.ok(helpFor(['--help']).includes(`svc-service ${name}`), name);
    }
  });

  it('shows only the help of start with -h', () => {
    assert.match(helpFor(['start', '-h']), /^Usage: svc-service start \[--port N\]/);
    assert.doesNotMatch(helpFor(['start', '-h']), /keys create/);
  });
});
