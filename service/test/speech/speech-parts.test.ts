import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinSamples } from '../../src/speech/join-samples.js';
import { SilenceTrimmer } from '../../src/speech/silence.js';
import { TurnQueue, type Client } from '../../src/speech/turn-queue.js';
import { createResampler, designResampler } from '../../../src/dsp/index.js';
import { createRateConverter } from '../../src/speech/rate-converter.js';

describe('SilenceTrimmer', () => {
  const tone = (samples: number): number[] => Array.from({ length: samples }, (_, at) => (at % 2 ? 5000 : -5000));
  const hush = (samples: number): number[] => Array.from({ length: samples }, (_, at) => (at % 2 ? 150 : -150));
  /** Trims a piece that arrives in parts of `partLength` samples. */
  const trim = (piece: readonly number[], partLength: number, keptAfter: number): Int16Array => {
    const trimmer = new SilenceTrimmer(10_000, keptAfter);
    const kept: Int16Array[] = [];
    for (let from = 0; from < piece.length; from += partLength) {
      kept.push(trimmer.push(Int16Array.from(piece.slice(from, from + partLength))));
    }
    return joinSamples([...kept, trimmer.end()]);
  };

  for (const partLength of [1, 7, 320, 100_000]) {
    describe(`given parts of ${partLength}`, () => {
      it('keeps 40 ms before the first sound, and the given time after the last one', () => {
        const trimmed = trim([...hush(3000), ...tone(1000), ...hush(3000)], partLength, 0.1);
        assert.deepEqual([...trimmed], [...hush(400), ...tone(1000), ...hush(1000)]);
      });

      it('adds no silence', () => {
        const piece = [...hush(10), ...tone(1000), ...hush(10)];
        assert.deepEqual([...trim(piece, partLength, 0.1)], piece);
      });

      it('leaves pauses within as they are', () => {
        const piece = [...tone(10), ...hush(5000), ...tone(10)];
        assert.deepEqual([...trim(piece, partLength, 0)], piece);
      });

      it('returns nothing if there is no sound', () => {
        assert.equal(trim(hush(3000), partLength, 1).length, 0);
        assert.equal(trim([], partLength, 1).length, 0);
      });
    });
  }

  it('returns everything up to the last sound at once', () => {
    const trimmer = new SilenceTrimmer(10_000, 0.1);
    assert.equal(trimmer.push(Int16Array.from([...tone(100), ...hush(50)])).length, 100);
    assert.equal(trimmer.push(Int16Array.from(tone(10))).length, 60);
  });
});

describe('TurnQueue', () => {
  const [ann, bob, cem] = ['ann', 'bob', 'cem'].map((account) => ({ account, client: {} })) as [Client, Client, Client];

  it('serves the first client first if no client has been served', () => {
    const turns = new TurnQueue<string>(() => 0);
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.deepEqual([turns.shift(), turns.shift(), turns.shift()], ['a', 'b', undefined]);
  });

  it('keeps the order of arrival while time passes between two comparisons', () => {
    let now = 0;
    const turns = new TurnQueue<string>(() => (now += 0.01));
    for (const job of ['a', 'b', 'c']) turns.push(ann, job);
    assert.deepEqual([turns.shift(), turns.shift(), turns.shift()], ['a', 'b', 'c']);
  });

  it('takes turns among clients who want a lot', () => {
    const turns = new TurnQueue<Client>(() => 0);
    const order: Client[] = [];
    for (const client of [ann, bob, cem]) turns.push(client, client);
    for (let round = 0; round < 6; round++) {
      const client = turns.shift()!;
      order.push(client);
      turns.made(client.client, 1000);
      turns.push(client, client);
    }
    assert.deepEqual(order, [ann, bob, cem, ann, bob, cem]);
  });

  it('serves a client that has not been served before one that is ahead', () => {
    const turns = new TurnQueue<string>(() => 0);
    turns.made(ann.client, 5000);
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.equal(turns.shift(), 'b');
  });

  it('forgets speech that has been played since', () => {
    let now = 0;
    const turns = new TurnQueue<string>(() => now);
    turns.made(ann.client, 5000);
    now = 6000;
    turns.push(ann, 'a');
    turns.push(bob, 'b');
    assert.equal(turns.shift(), 'a');
  });

  it('lets accounts take turns, however many clients of one account wait for their first sound', () => {
    const turns = new TurnQueue<string>(() => 0);
    for (let job = 1; job <= 9; job++) turns.push({ account: 'many', client: {} }, `many ${job}`);
    for (let job = 1; job <= 3; job++) turns.push({ account: 'few', client: {} }, `few ${job}`);
    const order = ['many 1', 'few 1', 'many 2', 'few 2', 'many 3', 'few 3', 'many 4'];
    assert.deepEqual(
      order.map(() => turns.shift()),
      order,
    );
  });

  it('does not put a job behind those of its account that have speech in advance', () => {
    const turns = new TurnQueue<string>(() => 0);
    for (let job = 1; job <= 9; job++) {
      const ahead = { account: 'one', client: {} };
      turns.made(ahead.client, 5000);
      turns.push(ahead, 'ahead');
    }
    turns.push({ account: 'one', client: {} }, 'first sound');
    turns.push(ann, 'a');
    assert.deepEqual([turns.shift(), turns.shift(), turns.shift()], ['first sound', 'a', 'ahead']);
  });

  it('keeps the order of arrival within an account', () => {
    const turns = new TurnQueue<string>(() => 0);
    for (const job of ['a', 'b', 'c']) turns.push({ account: 'one', client: {} }, job);
    assert.equal(turns.shift(), 'a');
    assert.equal(turns.shift(), 'b');
    turns.push({ account: 'one', client: {} }, 'd');
    assert.deepEqual([turns.shift(), turns.shift()], ['c', 'd']);
  });

  it('serves a client that waits for its first sound before another of its account that is ahead', () => {
    const turns = new TurnQueue<string>(() => 0);
    const ahead = { account: 'one', client: {} };
    turns.made(ahead.client, 50);
    turns.push(ahead, 'ahead');
    for (const job of ['a', 'b', 'c']) turns.push({ account: 'one', client: {} }, job);
    assert.deepEqual([turns.shift(), turns.shift(), turns.shift(), turns.shift()], ['a', 'b', 'c', 'ahead']);
  });

  it('keeps the jobs of clients with much speech in advance back', () => {
    const turns = new TurnQueue<string>(() => 0);
    for (const [client, ms] of [
      [ann, 600],
      [bob, 500],
      [cem, 400],
    ] as const) {
      turns.made(client.client, ms);
      turns.push(client, client.account!);
    }
    assert.deepEqual([turns.hasNext(500), turns.shift(500)], [true, 'cem']);
    assert.deepEqual([turns.hasNext(500), turns.shift(500)], [false, undefined]);
    assert.deepEqual([turns.shift(), turns.shift(), turns.hasNext(Infinity)], ['bob', 'ann', false]);
  });

  it('drops jobs that are removed', () => {
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

  for (const rate of [8000, 24_000, 44_100]) {
    it(`is the resampler of the player, within one step of 16 bits, at ${rate} Hz`, () => {
      const table = designResampler(16_000, rate, { taps: 64, beta: 8, cutoff: 0.92 });
      const resampler = createResampler(table, noise.length + table.taps);
      resampler.push(noise, 0, noise.length);
      resampler.pushSilence(resampler.latency);
      const expected = new Float32Array(rate);
      assert.equal(resampler.pull(expected, 0, rate), rate);
      const converter = createRateConverter(16_000, rate);
      const made = [...converter.convert(noise), ...converter.flush()];
      const limited = expected.map((sample) => Math.max(-32_768, Math.min(32_767, sample * 32_768)));
      assert.ok(made.every((sample, at) => Math.abs(sample - limited[at]!) <= 1));
    });
  }

  it('starts again after a flush', () => {
    const converter = createRateConverter(16_000, 24_000);
    const once = [...converter.convert(noise), ...converter.flush()];
    assert.deepEqual([...converter.convert(noise), ...converter.flush()], once);
  });

  it('does not wrap around at full scale', () => {
    const square = Int16Array.from({ length: 1600 }, (_, at) => (at % 40 < 20 ? 32_767 : -32_768));
    const converted = createRateConverter(16_000, 48_000).convert(square);
    // The filter overshoots by a tenth at each edge. A sample that wrapped around would be far on the other side.
    for (let at = 200; at < converted.length - 1; at++) {
      const [a, b] = [converted[at]!, converted[at + 1]!];
      assert.ok(Math.abs(a - b) < 45_000, `${a} to ${b} at ${at}`);
    }
  });
});
