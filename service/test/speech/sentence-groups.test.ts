import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { processorSeconds } from './support/processor-seconds.js';
import { estimateSeconds } from '../../src/speech/estimate-seconds.js';
import { groupSentences } from '../../src/speech/sentence-groups.js';

const group = (text: string, maxSeconds = 15, quickStart = false, maxLength = 4096): string[] =>
  groupSentences(text, { maxSeconds, maxLength, quickStart });

describe('groupSentences', () => {
  it('keeps sentences together as long as they fit', () => {
    assert.deepEqual(group('One. Two! Three?'), ['One. Two! Three?']);
    assert.deepEqual(group('This is one. This is two. This is three.', 2), [
      'This is one.',
      'This is two.',
      'This is three.',
    ]);
  });

  it('begins with one sentence on a quick start', () => {
    assert.deepEqual(group('One. Two. Three.', 15, true), ['One.', 'Two. Three.']);
  });

  it('cuts a long sentence at its commas, else between words, else between characters', () => {
    assert.deepEqual(group('This is the first part, and this is the other one.', 4), [
      'This is the first part,',
      'and this is the other one.',
    ]);
    assert.deepEqual(group('aaa bbb ccc ddd', 15, false, 8), ['aaa bbb', 'ccc ddd']);
    assert.deepEqual(group('x'.repeat(10), 15, false, 4), ['xxxx', 'xxxx', 'xx']);
    assert.deepEqual(group('𝕏𝕏𝕏', 15, false, 3), ['𝕏', '𝕏', '𝕏']);
  });

  it('knows the ends of sentences in other scripts, and abbreviations', () => {
    assert.deepEqual(group('你好。今天好吗？', 15, true), ['你好。', '今天好吗？']);
    assert.deepEqual(group('Dr. Hu is here. He waits.', 15, true), ['Dr. Hu is here.', 'He waits.']);
  });

  it('leaves out what holds no letter and no digit', () => {
    assert.deepEqual(group('... 🎉 !'), []);
  });

  it('loses no letter, and keeps every group within its bounds', () => {
    const part = fc.oneof(
      fc.constantFrom('. ', ', ', '。', '\n', 'word ', '好', '🎉'),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    fc.assert(
      fc.property(
        fc.array(part),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 2, max: 99 }),
        fc.boolean(),
        (parts, seconds, length, quick) => {
          const text = parts.join('');
          const groups = group(text, seconds, quick, length);
          const letters = (all: string): string => all.replace(/[^\p{L}\p{N}]/gu, '');
          assert.equal(letters(groups.join('')), letters(text));
          for (const each of groups) {
            assert.ok(each.length <= length);
            assert.ok(estimateSeconds(each) <= seconds + 0.2, each); // a character by itself may take more than a second
          }
        },
      ),
    );
  });

  it('takes time in proportion to the length of the text, whatever that is', () => {
    const seconds = processorSeconds(() => {
      for (const part of ['.', '. ', 'a.', ',', '。', '"', 'a', '🎉', '\n', ' ']) {
        group(part.repeat(200_000 / part.length), 15, true);
      }
    });
    // It takes about 1 s. A pattern that searches in quadratic time takes 15 s or more.
    assert.ok(seconds < 8, `${seconds} s`);
  });
});
