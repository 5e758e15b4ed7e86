import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyRules, MappedText, type Rule } from '../../src/speech/mapped-text.js';
import { toPlainText } from '../../src/speech/plain-text.js';

/** Returns the words of a text that was made from `source`, each with the part of the source from which it was made. */
function wordsOf(source: string): [word: string, source: string][] {
  const plain = toPlainText(source, true);
  return Array.from(plain.text.matchAll(/\S+/g), ({ 0: word, index }) => {
    const { from, to } = plain.sourceOf(index, index + word.length);
    return [word, source.slice(from, to)];
  });
}

const RULES: readonly Rule[] = [
  [/a+/g, 'xa'],
  [/b/g, ''],
  [/(\d)(\d)/g, '$2-$1'],
  [/(?<=c)/g, ', '],
  [/c(.?)/g, (found, next) => `${found}<${next}>`],
  [/ {2,}/g, ' '],
  [/x|<|>/g, (found) => found.repeat(2)],
];

describe('MappedText', () => {
  it('replaces as String.replace() does, and maps each part to one of the source, in order', () => {
    const source = fc.string({ unit: fc.constantFrom(...Array.from('abc12 x<é')), maxLength: 30 });
    fc.assert(
      fc.property(source, fc.array(fc.constantFrom(...RULES), { maxLength: 12 }), (text, rules) => {
        const mapped = applyRules(MappedText.of(text), rules);
        const expected = rules.reduce((made, [pattern, by]) => made.replace(pattern, by as string), text);
        assert.equal(mapped.text, expected);
        let last = { from: 0, to: 0 };
        for (let at = 0; at < expected.length; at++) {
          const range = mapped.sourceOf(at, at + 1);
          assert.ok(last.from <= range.from && last.to <= range.to, 'in order');
          assert.ok(range.from <= range.to && range.to <= text.length, 'within the source');
          last = range;
        }
      }),
      { numRuns: process.env.SVC_LONG ? 50_000 : 1000 },
    );
  });

  for (const [source, words] of [
    ['Hello,  Zoë!', ['Hello,|Hello,', 'Zoe!|Zoë!']],
    ['I have 25 cats.', ['I|I', 'have|have', 'twenty-five|25', 'cats.|cats.']],
    [
      'Pay $3.50 now',
      ['Pay|Pay', 'three|$3.50', 'dollars|$3.50', 'and|$3.50', 'fifty|$3.50', 'cents|$3.50', 'now|now'],
    ],
    ['pages 10–12', ['pages|pages', 'ten|10', 'to|–', 'twelve|12']],
    ['Dr. Hu, 5kg', ['Doctor|Dr.', 'Hu,|Hu,', 'five|5kg', 'kilograms|5kg']],
    ['at a@b.com.', ['at|at', 'a|a', 'at|@b.', 'b|@b.', 'dot|@b.', 'com.|com.']],
    ['🎉 α=½ 世界 ok', ['alpha|α', 'equals|=', 'one|½', 'half|½', 'ok|ok']],
  ] as const) {
    it(`knows from what each word was made: ${source}`, () => {
      assert.deepEqual(
        wordsOf(source).map((pair) => pair.join('|')),
        words,
      );
    });
  }
});
