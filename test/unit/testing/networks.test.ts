import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeNetwork, type NetworkName, networks } from '../../../src/testing/networks.js';

/** Returns the times, in ms, at which messages arrive that are sent every 20 ms for 20 s. */
function arrivals(name: NetworkName, seed: number): number[] {
  const network = makeNetwork(name, seed);
  return Array.from({ length: 1000 }, (_, index) => network(20 * index));
}

describe('The networks', () => {
  for (const name of Object.keys(networks) as NetworkName[]) {
    it(`${name}: repeats for the same seed, and delivers nothing before it was sent`, () => {
      const all = arrivals(name, 5);
      assert.deepEqual(all, arrivals(name, 5));
      assert.ok(all.every((at, index) => at >= 20 * index));
    });
  }

  it('stalls: delays messages by 30 ms in most seconds, and none by as much as a jitter buffer holds', () => {
    const late = arrivals('stalls', 1).map((at, index) => at - 20 * index > 30);
    assert.ok(arrivals('stalls', 1).every((at, index) => at - 20 * index < 120));
    const seconds = Array.from({ length: 10 }, (_, second) =>
      late.slice(100 * second, 100 * (second + 1)).includes(true),
    );
    assert.ok(seconds.filter(Boolean).length >= 7, String(seconds));
  });

  it('rejects an unknown name with a list of the networks', () => {
    assert.throws(() => makeNetwork('tin-cans' as never), /no network "tin-cans"\. Use one of: lan, wifi, .*outage\./);
  });
});
