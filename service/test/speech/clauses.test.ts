import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutIntoPieces } from '../../src/speech/clauses.js';
import { estimateSeconds } from '../../src/speech/estimate-seconds.js';
import { isSpoken } from '../../src/speech/plain-text.js';
import { processorSeconds } from './support/processor-seconds.js';

const texts = (plain: string, maxSeconds = 15, quickStart = false): string[] =>
  cutIntoPieces(plain, maxSeconds, quickStart).map(({ text }) => text);

describe('cutIntoPieces', () => {
  it('makes a piece of each sentence', () => {
    assert.deepEqual(texts('One, two. Three! Four? "Five." Six'), ['One, two.', 'Three!', 'Four?', '"Five."', 'Six']);
  });

  it('ends a sentence with its line', () => {
    assert.deepEqual(texts('A title\nSome text.'), ['A title', 'Some text.']);
  });

  it('begins text without punctuation with a short piece, whatever it is', () => {
    for (const part of ['abcdefghijklmnopqrstuvwxyz', 'QWRTZ PSDFG ', '9876543210', 'nevertheless extraordinarily ']) {
      const [first, , third] = texts(part.repeat(100), 8, true);
      assert.ok(estimateSeconds(first!) <= 2.2, first);
      assert.ok(estimateSeconds(third!) > 7, third);
    }
  });

  it('begins with a clause on a quick start', () => {
    assert.deepEqual(texts('Hello, this is a test, you see. And on, and on.', 15, true), [
      'Hello,',
      'this is a test, you see.',
      'And on, and on.',
    ]);
  });

  it('does not end a sentence at an abbreviation, an initial or a decimal point', () => {
    const sentence = 'Dr. Smith paid J. Brown 3.50, e.g. for tea, vs. 1,000 at St. Ives.';
    assert.deepEqual(texts(sentence), [sentence]);
  });

  it('ends a sentence after a real word of one letter', () => {
    assert.deepEqual(texts('So do I. Really.'), ['So do I.', 'Really.']);
  });

  it('cuts a long sentence at its commas, and else between words', () => {
    const long = `${'word '.repeat(20)}end, and ${'more '.repeat(60)}`.trim();
    const pieces = cutIntoPieces(long, 15, false);
    assert.deepEqual(
      pieces.map(({ end }) => end),
      ['clause', ...pieces.slice(1, -1).map(() => 'cut'), 'sentence'],
    );
    assert.equal(pieces.map(({ text }) => text).join(' '), long);
  });

  it('cuts a word that is too long', () => {
    const pieces = texts('a'.repeat(5000));
    assert.equal(pieces.join('').replaceAll(' ', ''), 'a'.repeat(5000));
    assert.ok(pieces.every((piece) => piece.split(' ').every((word) => word.length <= 40)));
  });

  it('makes shorter pieces if chunks are to be shorter', () => {
    const text = 'This is a sentence of some length that has no comma at all.';
    assert.ok(texts(text, 1).length > texts(text, 3).length);
    assert.ok(texts(text, 1).every((piece) => estimateSeconds(piece) <= 1));
  });

  it('leaves out what makes no sound', () => {
    assert.deepEqual(texts('One. ... "!" Two.'), ['One.', 'Two.']);
  });

  it('loses no letter, and keeps every piece within its bounds', () => {
    const word = fc.oneof(
      fc.constantFrom('Hello,', 'Mr.', '-', '1,234.5', 'end.', 'NASA', '...', '\n', '(so', 'it)!'),
      fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 90 }),
    );
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 1, max: 20 }), fc.boolean(), (words, seconds, quickStart) => {
        const plain = words.join(' ');
        const pieces = cutIntoPieces(plain, seconds, quickStart);
        const letters = (text: string): string => text.replace(/[^A-Za-z0-9#$%&*+/=@\\^_|~]/g, '');
        assert.equal(letters(pieces.map(({ text }) => text).join('')), letters(plain));
        for (const { text } of pieces) {
          assert.ok(isSpoken(text));
          assert.ok(text.length <= 200);
          assert.ok(estimateSeconds(text) <= seconds + 1e-9 || text.length === 1);
        }
      }),
    );
  });

  it('takes time in proportion to the length of the text, whatever that is', () => {
    const seconds = processorSeconds(() => {
      for (const part of ['.', '."', ' -', ',', "'", '. ', 'a.', '-'])
        cutIntoPieces(`${part.repeat(200_000)}a`, 15, true);
    });
    // It takes less than 1 s. A pattern that searches in quadratic time takes 15 s or more.
    assert.ok(seconds < 8, `${seconds} s`);
  });
});
