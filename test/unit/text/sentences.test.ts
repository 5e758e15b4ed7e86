import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SentenceCutter } from '../../../src/text/sentences.js';

/** Returns the sentences of a text that comes in `pieces`. The last one is the rest that the cutter held back. */
function cut(pieces: Iterable<string>): (string | null)[] {
  const cutter = new SentenceCutter();
  const sentences: (string | null)[] = [];
  for (const piece of pieces) sentences.push(...cutter.push(piece));
  return [...sentences, cutter.rest()];
}

describe('SentenceCutter', () => {
  it('returns a sentence as soon as the next one begins', () => {
    const cutter = new SentenceCutter();
    assert.deepEqual(cutter.push('Hello there.'), []);
    assert.deepEqual(cutter.push(' '), []);
    assert.deepEqual(cutter.push('H'), ['Hello there. ']);
    assert.deepEqual(cutter.push('ow are you? I'), ['How are you? ']);
    assert.equal(cutter.rest(), 'I');
    assert.equal(cutter.rest(), null);
  });

  it('treats a line as a sentence', () => {
    assert.deepEqual(cut(['Shopping list\nmilk\neggs']), ['Shopping list\n', 'milk\n', 'eggs']);
  });

  it('recognises the punctuation of other scripts', () => {
    assert.deepEqual(cut(['今日は。元気です。']), ['今日は。', '元気です。']);
  });

  it('does not end a sentence at an abbreviation, an initial or a list number', () => {
    for (const sentence of ['Dr. Smith and Mr. Jones met J. R. Hartley on St. James Street. ', '1. Do this first. ']) {
      assert.deepEqual(cut([sentence.slice(0, 3), sentence.slice(3), 'Then that.']), [sentence, 'Then that.']);
    }
  });

  it('returns no sentence without words', () => {
    assert.deepEqual(cut(['  \n ', '... ']), [null]);
    assert.deepEqual(cut(['...', ' Well. Yes.']), ['... Well. ', 'Yes.']);
  });

  it('cuts an endless sentence at a pause, or else between words or characters', () => {
    const clauses = cut(['and so it goes on, '.repeat(60)]);
    assert.ok(clauses.every((clause) => clause!.length <= 400 && clause!.endsWith(', ')));
    const words = cut(['on and '.repeat(100)]);
    assert.ok(words.every((piece) => piece!.length <= 400 && piece!.endsWith(' ')));
    const emoji = cut(['😀'.repeat(300)]);
    assert.ok(emoji.every((piece) => !/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(piece!)));
  });

  it('reports whether the text that it holds back looks complete', () => {
    const wholeAfter = (text: string): boolean => {
      const cutter = new SentenceCutter();
      cutter.push(text);
      return cutter.isWhole;
    };
    assert.ok(wholeAfter('Let me look that up.'));
    assert.ok(wholeAfter('He said "yes!" '));
    assert.ok(!wholeAfter('Let me look'));
    assert.ok(!wholeAfter('Ask Dr.'));
    assert.ok(!wholeAfter(''));
  });

  it('returns every character in order, however the text is cut', () => {
    const words = fc.array(
      fc.constantFrom('Hi', 'Dr.', '. ', '! ', ' ', '\n', 'e.g. ', '1. ', '😀', '。', 'word ', ', '),
    );
    fc.assert(
      fc.property(words, (pieces) => {
        const all = cut([...pieces, 'x']);
        assert.equal(all.join(''), `${pieces.join('')}x`);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('cuts a text in the same way, however it is split into pieces', () => {
    const text = 'First. Second one! Is this the third? "It is." And (this too.) Dr. No came. The end';
    const wanted = cut([text]);
    for (let at = 1; at < text.length; at++) assert.deepEqual(cut([text.slice(0, at), text.slice(at)]), wanted);
    assert.deepEqual(cut(text), wanted);
  });
});
