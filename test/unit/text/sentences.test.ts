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

  // ys-pro-duction/TtsReader 3, foobnix/LibreraReader 1313, coqui-ai/TTS 2957; the second one is of pySBD's golden rules.
  it('goes on in the next line if the line was only full, however the text comes', () => {
    const texts: readonly (readonly string[])[] = [
      [
        'Each of the devices advertises one or more queues. ',
        'These\nqueues are categorized into different families, where each has very\r\n(quite) specific tasks.\n',
        'the end',
      ],
      ['It was a cold \nnight in the city.'],
      ['a line of verse\n', 'and another one'],
      ['a rather long line, which ends with two spaces in it:  \n', 'so this is another one'],
      ['Remember to buy all of these things before Sunday:\n', 'milk\n', 'eggs'],
      ['The second quarter of the year in a few long words\n', 'Sales went up.'],
      ['These are the last words of a long paragraph without a stop\n', '\nand so on'],
    ];
    for (const sentences of texts) {
      const text = sentences.join('');
      assert.deepEqual(cut([text]).filter(Boolean), sentences);
      assert.deepEqual(cut(text).filter(Boolean), sentences);
    }
  });

  it('recognises the punctuation of other scripts', () => {
    assert.deepEqual(cut(['今日は。元気です。']), ['今日は。', '元気です。']);
  });

  it('does not end a sentence at an abbreviation, an initial or a list number', () => {
    for (const sentence of [
      'Dr. Smith and Mr. Jones met J. R. Hartley on St. James Street. ',
      'On Mon. Jan. 5 or Wed. Jan. 7, Atty. Gen. Holder meets Brig. Gen. Pike. ',
      '1. Do this first. ',
    ]) {
      assert.deepEqual(cut([sentence.slice(0, 3), sentence.slice(3), 'Then that.']), [sentence, 'Then that.']);
    }
  });

  it('returns no sentence without words', () => {
    assert.deepEqual(cut(['  \n ', '... ']), [null]);
    assert.deepEqual(cut(['...', ' Well. Yes.']), ['... Well. ', 'Yes.']);
  });

  it('cuts an endless sentence at a pause, or else between words or characters', () => {
    const clauses = cut(['and so it goes on now, '.repeat(60)]);
    assert.ok(clauses.every((clause) => clause!.length <= 400 && clause!.endsWith(', ')));
    const words = cut(['on and '.repeat(100)]);
    assert.ok(words.every((piece) => piece!.length <= 400 && piece!.endsWith(' ')));
    const emoji = cut(['😀'.repeat(300)]);
    assert.ok(emoji.every((piece) => !/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(piece!)));
  });

  it('reports whether the text that it holds back looks complete', () => {
    const endingAfter = (...pieces: string[]): string => {
      const cutter = new SentenceCutter();
      pieces.forEach((piece) => cutter.push(piece));
      return cutter.ending();
    };
    for (const whole of [
      'Let me look that up.',
      'He said "yes!" ',
      'The total is 42.',
      '42.',
      'See you at 5 p.m.',
      'I am from the U.S.',
      'It works **now.**',
      'Really?)',
      'He ate a fig.',
      'It is done. 🎉',
      'A long heading above the text that follows, if any\n',
      'यह ठीक है।',
      'هل أنت بخير؟',
      'یہ ٹھیک ہے۔',
      '元気です。',
      'Τι κάνεις;',
      '\u1781\u17D2\u1789\u17BB\u17C6\u17D4',
    ]) {
      assert.equal(endingAfter(whole), 'whole', whole);
    }
    for (const open of ['Let me look', 'Ask Dr.', '', '...', 'Sweden vs.']) {
      assert.equal(endingAfter(open), 'open', open);
    }
    for (const doubtful of [
      ['It costs 3', '.'],
      ['1', '.'],
      ['From the U', '.', 'S', '.', ' '],
      ['See https://example.org/search', '?'],
    ]) {
      assert.equal(endingAfter(...doubtful), 'doubtful', doubtful.join('|'));
    }
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
    const words = fc.array(
      fc.constantFrom(
        'One',
        'the ',
        'The ',
        'Dr. ',
        'U.S. ',
        'p.m.',
        'No. ',
        '5',
        '1. ',
        'a.b',
        'https://a.b/c?D=e. ',
        '“',
        '.” ',
        '. ',
        '.',
        '? ',
        '!',
        '… ',
        ', ',
        ' ',
        '\n',
        '。',
        '「',
        '」',
        'と',
        '値',
        '🎉',
        'ที่',
        'x'.repeat(90),
        '. The',
        ' – ',
        '--',
        ' 😊',
        'z. B. ',
        'FRITZ!',
        '\u200B',
        'ii. ',
        "'s ",
        'Yahoo!',
        '2024. ',
        'max. ',
        'IV',
        '《',
        '》',
        '？',
        '的',
        '是',
        '하',
        '고',
        'は',
        '¿',
        '‘',
        'אב',
      ),
      { maxLength: 60 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(words, sizes, (parts, pieceSizes) => {
        const text = parts.join('');
        const pieces: string[] = [];
        for (let at = 0, index = 0; at < text.length; at += pieceSizes[index++ % pieceSizes.length]!) {
          pieces.push(text.slice(at, at + pieceSizes[index % pieceSizes.length]!));
        }
        assert.deepEqual(cut(pieces), cut([text]));
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('takes linear time, and loses no word, for text without any end', () => {
    for (const unit of ['x', 'a.', '! ', '(', '“', '1.', '\u{1F600}', '\uD83D', '…']) {
      const text = unit.repeat(10_000 / unit.length);
      const all = cut([text]).join('');
      assert.ok(text.startsWith(all), unit);
      assert.doesNotMatch(text.slice(all.length), /[\p{L}\p{N}\p{S}]/u, unit);
    }
  });
});
