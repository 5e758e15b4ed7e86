import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyRules, MappedText, type Rule } from '../../src/speech/mapped-text.js';
import { normalizeText, RULES } from '../../src/speech/normalize-text.js';
import { EXAMPLES } from './normalize-examples.js';
import { processorSeconds } from './support/processor-seconds.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayYear } from '../../src/speech/number-words.js';

const LONG = { skip: !process.env.SVC_LONG && 'runs in npm run test:long' };

function writeOut(text: string): string {
  return normalizeText(MappedText.of(text)).text;
}

describe('normalizeText', () => {
  for (const [what, examples] of Object.entries(EXAMPLES)) {
    for (const [text, words] of examples) {
      it(`reads ${what}: ${text}`, () => {
        assert.equal(writeOut(text), words);
      });
    }
  }

  it('has no rule without an example', () => {
    const unneeded = new Set<Rule>(RULES);
    for (const [example] of Object.values(EXAMPLES).flat()) {
      const words = applyRules(MappedText.of(example), RULES).text;
      let text = MappedText.of(example);
      for (const [index, rule] of RULES.entries()) {
        const changed = applyRules(text, [rule]);
        // Another rule may read it in the same way.
        const isNeeded = changed.text !== text.text && applyRules(text, RULES.slice(index + 1)).text !== words;
        if (isNeeded) unneeded.delete(rule);
        text = changed;
      }
    }
    assert.deepEqual([...unneeded], []);
  });

  it('leaves no digit but in words and addresses, and makes text at most 20 times as long', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...Array.from('0123456789'.repeat(3)),
        ...Array.from(" .,:/-+$€£%°½()#~'\n"),
        'k',
        ' kg',
        ' am',
        'st ',
        'v',
        'Jan. ',
        'etc.',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const text = parts.join('');
        const words = writeOut(text);
        assert.ok(words.length <= 20 * text.length + 40);
        for (const [digits] of words.matchAll(/[A-Za-z]?\d+[A-Za-z]?/g)) {
          const at = words.indexOf(digits);
          const around = words.slice(Math.max(0, at - 80), at + digits.length + 80);
          assert.match(around, /[\p{L}_]\d|\d[\p{L}_]|@|www|:\/\//u, JSON.stringify([text, words]));
        }
      }),
      { numRuns: process.env.SVC_LONG ? 10_000 : 300 },
    );
  });

  it('takes time in proportion to the length of the text, whatever that is', LONG, () => {
    const parts =
      '1|12,|1.|1:|1/|$|-1|+1 |(555) |a.|5 k|a@|www.|Jan. |1 2/|½|1.1.1.1.|a.com.|May 3-|10:00–|7-3=|α|a²|Elm St. |C$|' +
      "12 Main |x+|e.g.|St. A|'80s|\u2013|°|1a|1 - |1 + |#1|~$1|1½|x + |x>5|Peter X |1\u00a0000|1'x1|km/h |B-5s|" +
      '30s, |5" |9/5–|a - b |(a - |5 mg/kg/|the $5 |called |1:2:|1/2 - ';
    for (const part of parts.split('|')) {
      const text = part.repeat(200_000 / part.length);
      const seconds = processorSeconds(() => void writeOut(text));
      // It takes at most 2.5 s. A pattern that searches in quadratic time takes 6 s or more.
      assert.ok(seconds < 4, `${part}: ${seconds} s`);
    }
  });
});

describe('numbers in words', () => {
  it('says integers of up to 15 digits, and longer ones digit by digit', () => {
    assert.equal(sayInteger('100000000000001'), 'one hundred trillion one');
    assert.equal(sayInteger('999999'), 'nine hundred ninety-nine thousand nine hundred ninety-nine');
    assert.equal(sayInteger('1'.repeat(16)), 'one '.repeat(16).trim());
  });

  it('says every integer in its own way', () => {
    const said = new Set(Array.from({ length: 20_000 }, (_, number) => sayInteger(String(number))));
    assert.equal(said.size, 20_000);
  });

  it('says ordinals, years, digits and fractions', () => {
    assert.equal(sayOrdinal('20'), 'twentieth');
    assert.equal(sayOrdinal('1000'), 'one thousandth');
    assert.equal(sayYear('2000'), 'two thousand');
    assert.equal(sayYear('1066'), 'ten sixty-six');
    assert.equal(sayDigits('305'), 'three zero five');
    assert.equal(sayNumber('1,234.05'), 'one thousand two hundred thirty-four point zero five');
  });
});
