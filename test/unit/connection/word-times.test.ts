import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { placeTimes, type ReportedWord } from '../../../src/connection/word-times.js';
import type { TimingsMessage } from '../../../src/protocol/message.js';

const PART = { offset: 10, length: 20, seconds: 2 };

/** Returns the message as the interpreter gives it: lists, of whatever the service has sent. */
function read(words: unknown, phones?: unknown): TimingsMessage {
  const listed = Array.isArray(phones) ? { phones: phones as TimingsMessage['phones'] } : {};
  return { type: 'timings', words: Array.isArray(words) ? words : [], ...listed } as TimingsMessage;
}

describe('placeTimes', () => {
  it('places words and sounds of a context in the utterance', () => {
    const words = [{ from: 0, to: 5, start: 0.5, end: 0.75 }];
    const phones = [{ phone: 'hh', start: 0.5, end: 0.75 }];
    assert.deepEqual(placeTimes(read(words, phones), PART, null), {
      words: [{ from: 10, to: 15, start: 2.5, end: 2.75 }],
      phones: [{ phone: 'hh', start: 2.5, end: 2.75 }],
      malformed: 0,
    });
  });

  it('leaves out and counts what is no time, goes back, overlaps or lies outside the text, whatever it is', () => {
    const value = fc.oneof(fc.integer({ min: -2, max: 25 }), fc.double(), fc.constantFrom(null, '1', 1e300, [], {}));
    const word = fc.oneof(fc.record({ from: value, to: value, start: value, end: value }), fc.anything());
    const list = fc.oneof(fc.array(word, { maxLength: 8 }), fc.anything());
    const before: ReportedWord = { from: 10, to: 11, start: 2.5, end: 2.5 };
    fc.assert(
      fc.property(list, list, fc.constantFrom(before, null), (words, phones, last) => {
        const message = read(words, phones);
        const placed = placeTimes(message, PART, last);
        assert.equal(
          placed.words.length + placed.phones.length + placed.malformed,
          message.words.length + (message.phones?.length ?? 0),
        );
        let { to, start } = last ?? { to: 10, start: 2 };
        for (const one of placed.words) {
          assert.ok(one.from >= to && one.to > one.from && one.to <= 30);
          assert.ok(one.start >= start && one.end >= one.start && Number.isFinite(one.end));
          ({ to, start } = one);
        }
      }),
      { numRuns: process.env.SVC_LONG ? 50_000 : 1000 },
    );
  });
});
