import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trimSilence } from '../../src/speech/silence.js';
import { TurnQueue } from '../../src/speech/turn-queue.js';
import { createRateConverter } from '../../src/speech/rate-converter.js';

describe('trimSilence', () => {
  const tone = (samples: number): number[] => Array.from({ length: samples }, (_, at) => (at % 2 ? 5000 : -5000));
  const hush = (samples: number): number[] => Array.from({ length: samples }, (_, at) => (at % 2 ? 150 : -150));

  it('keeps 40 ms before the first sound, and what it is told to after the last one', () => {
    const piece = Int16Array.from([...hush(3000), ...tone(1000), ...hush(3000)]);
    assert.equal(trimSilence(piece, 10_000, 0.1).length, 400 + 1000 + 1000);
  });

  it('adds none', () => {
    const piece = Int16Array.from([...hush(10), ...tone(1000), ...hush(10)]);
    assert.equal(trimSilence(piece, 10_000, 0.1).length, 1020);
  });

  it('leaves pauses within as they are', () => {
    const piece = Int16Array.from([...tone(10), ...hush(5000), ...tone(10)]);
    assert.deepEqual(trimSilence(piece, 10_000, 0), piece);
  });

  it('gives nothing if there is no sound', () => {
    assert.equal(trimSilence(Int16Array.from(hush(3000)), 10_000, 1).length, 0);
    assert.equal(trimSilence(new Int16Array(), 10_000, 1).length, 0);
  });
});

describe('TurnQueue', () => {
  const [ann, bob, cem] = [{ name: 'ann' }, { name: 'bob' }, { name: 'cem' }];

  it('serves whoever came first if nobody was served', () => {
    const turns = new TurnQueue<string>(() => 0);
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.deepEqual([turns.shift(), turns.shift(), turns.shift()], ['a', 'b', undefined]);
  });

  it('takes turns among clients who want a lot', () => {
    const turns = new TurnQueue<object>(() => 0);
    const order: object[] = [];
    for (const client of [ann, bob, cem]) turns.push(client, client);
    for (let round = 0; round < 6; round++) {
      const client = turns.shift()!;
      order.push(client);
      turns.made(client, 1000);
      turns.push(client, client);
    }
    assert.deepEqual(order, [ann, bob, cem, ann, bob, cem]);
  });

  it('serves who was not served yet before who is ahead', () => {
    const turns = new TurnQueue<string>(() => 0);
    turns.made(ann, 5000);
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.equal(turns.shift(), 'b');
  });

  it('forgets what has been heard since', () => {
    let now = 0;
    const turns = new TurnQueue<string>(() => now);
    turns.made(ann, 5000);
    now = 6000;
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.equal(turns.shift(), 'a');
  });

  it('drops what is not wanted any more', () => {
    const turns = new TurnQueue<string>(() => 0);
    for (const job of ['a', 'b', 'c']) turns.push(ann, job);
    turns.remove('b');
    turns.remove('x');
    assert.deepEqual(turns.clear(), ['a', 'c']);
    assert.equal(turns.length, 0);
  });
});

describe('RateConverter', () => {
  const noise = Int16Array.from({ length: 16_000 }, (_, at) => ((at * 7919) % 20_011) - 10_000);

  it('passes samples through unchanged if the rates are the same', () => {
    const converter = createRateConverter(16_000, 16_000);
    assert.deepEqual(converter.convert(noise), noise);
    assert.equal(converter.flush().length, 0);
  });

  for (const rate of [8000, 11_025, 24_000, 44_100, 48_000, 95_999, 96_000]) {
    it(`makes one second of one second at ${rate} Hz, the same however it is cut`, () => {
      const whole = createRateConverter(16_000, rate);
      const expected = [...whole.convert(noise), ...whole.flush()];
      assert.equal(expected.length, rate);
      const inParts = createRateConverter(16_000, rate);
      const parts: number[] = [];
      for (let from = 0, size = 1; from < noise.length; from += size, size = ((size * 31) % 1501) + 1) {
        parts.push(...inParts.convert(noise.subarray(from, from + size)));
      }
      parts.push(...inParts.flush());
      assert.deepEqual(parts, expected);
    });
  }

  it('begins anew after a flush', () => {
    const converter = createRateConverter(16_000, 24_000);
    const once = [...converter.convert(noise), ...converter.flush()];
    assert.deepEqual([...converter.convert(noise), ...converter.flush()], once);
  });

  it('does not wrap around at full scale', () => {
    const square = Int16Array.from({ length: 1600 }, (_, at) => (at % 40 < 20 ? 32_767 : -32_768));
    const converted = createRateConverter(16_000, 48_000).convert(square);
    // The filter overshoots at each edge, by a tenth; where it wraps, a sample would be far on the other side.
    for (let at = 200; at < converted.length - 1; at++) {
      const [a, b] = [converted[at]!, converted[at + 1]!];
      assert.ok(Math.abs(a - b) < 45_000, `${a} to ${b} at ${at}`);
    }
  });
});
