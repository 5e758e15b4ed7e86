import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateWords } from '../../../src/playback/estimate-words.js';
import { heardCharacters } from '../../../src/playback/heard-text.js';
import { Random } from '../../../src/testing/random.js';

const TEXT = 'One two three four. Five six seven, eight nine ten.';
/** Less than any difference between two times of words. */
const MOMENT = 1e-4;

describe('estimateWords', () => {
  it('begins where the first silence ends, and leaves a pause at the end', () => {
    const words = estimateWords(TEXT, 4, 4, [], [{ from: 0, to: 0.5 }]);
    assert.deepEqual(
      words.map(({ from, to }) => TEXT.slice(from, to)),
      TEXT.match(/\w+/g),
    );
    assert.ok(Math.abs(words[0]!.start - 0.5) < 1e-9);
    assert.ok(words.at(-1)!.end > 3.5 && words.at(-1)!.end < 4, `${words.at(-1)!.end}`);
  });

  it('begins the words after a mark where its pause ends, and spreads them to the end', () => {
    const pause = { from: 1.3, to: 1.8 };
    const words = estimateWords(TEXT, 4, 4, [], [pause]);
    const five = words[4]!;
    assert.equal(TEXT.slice(five.from, five.to), 'Five');
    assert.ok(Math.abs(five.start - pause.to) < 1e-6, `${five.start}`);
    assert.ok(words.at(-1)!.end > 3.5 && words.at(-1)!.end < 4, `${words.at(-1)!.end}`);
  });

  it('leaves out the words that begin later', () => {
    const words = estimateWords(TEXT, 1, null);
    assert.ok(words.length > 1 && words.at(-1)!.start <= 1);
    assert.ok(estimateWords(TEXT, 2, null)[words.length]!.start > 1);
  });

  it('agrees with heardCharacters about when a word is over', () => {
    const random = new Random(1);
    for (let round = 0; round < 100; round++) {
      const duration = random.uniform(2, 8);
      const quiet = round % 2 === 0 ? [] : [{ from: 0, to: random.uniform(0.1, 0.6) }];
      for (const { to, end } of estimateWords(TEXT, duration, duration, [], quiet)) {
        const heard = (at: number): number => heardCharacters(TEXT, at, duration, [], quiet);
        assert.ok(heard(end - MOMENT) < to && heard(end + MOMENT) >= to, JSON.stringify({ duration, quiet, to, end }));
      }
    }
  });

  it('keeps words in order and out of pauses', () => {
    const random = new Random(2);
    for (let round = 0; round < 300; round++) {
      const duration = random.uniform(2, 8);
      const from = random.uniform(0.2, 0.8) * duration;
      const pause = { from, to: from + random.uniform(0.1, 0.5) };
      const words = estimateWords(TEXT, duration, duration, [], [pause]);
      for (const [index, { start, end }] of words.entries()) {
        assert.ok(end > start && end <= duration + MOMENT && start >= (words[index - 1]?.end ?? 0) - MOMENT);
      }
    }
  });

  const partsOf = (text: string): string[] => estimateWords(text, 9, 3).map(({ from, to }) => text.slice(from, to));

  // hushh-labs/hushh-research 5327, MemPalace/mempalace 932, karpathy/minbpe 73
  it('keeps the vowels and accents that are written as marks', () => {
    assert.deepEqual(partsOf('यह हिन्दी में है।'), ['यह', 'हिन्दी', 'में', 'है']);
    assert.deepEqual(partsOf('“Cafe\u0301” a\u0300?'), ['Cafe\u0301', 'a\u0300']);
  });

  // chearon/dropflow 14, xapian/xapian 286
  it('divides each script without spaces into words', () => {
    for (const text of ['ภาษาไทยเป็น', 'ປະເທດລາວ', 'ខ្ញុំទៅ', 'မြန်မာစကား', '东京很大']) {
      const parts = partsOf(text);
      assert.ok(parts.length > 1, text);
      assert.equal(parts.join(''), text);
    }
  });
});
