import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { reservation, shareCredit, SLICE_MS, type CreditUse } from '../../src/session/credit-shares.js';

const MOST_MS = 4000;

const anyMs = fc.integer({ min: 0, max: 20_000 });
const anyUse: fc.Arbitrary<CreditUse> = fc.record({ dueMs: anyMs, reservedMs: anyMs, reserves: fc.boolean() });

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe('shareCredit', () => {
  it('hands out what there is, and no more', () => {
    fc.assert(
      fc.property(anyMs, fc.array(anyUse), (creditMs, uses) => {
        const { freeMs, shares } = shareCredit(creditMs, uses, MOST_MS);
        const handedOut = shares.map(({ chargedMs, reservedMs }) => chargedMs + reservedMs);
        assert.equal(sum(handedOut) + freeMs, creditMs);
        assert.ok(freeMs >= 0 && handedOut.every((ms) => ms >= 0));
      }),
    );
  });

  it('charges no socket more than it has used', () => {
    fc.assert(
      fc.property(anyMs, fc.array(anyUse), (creditMs, uses) => {
        const { shares } = shareCredit(creditMs, uses, MOST_MS);
        for (const [index, { chargedMs }] of shares.entries()) assert.ok(chargedMs <= uses[index]!.dueMs);
      }),
    );
  });

  it('keeps what is reserved if nobody has used more than that', () => {
    fc.assert(
      fc.property(anyMs, fc.array(anyUse), (restMs, some) => {
        const uses = some.map((use) => ({ ...use, dueMs: Math.min(use.dueMs, use.reservedMs) }));
        const { shares } = shareCredit(sum(uses.map(({ reservedMs }) => reservedMs)) + restMs, uses, MOST_MS);
        for (const [index, { dueMs, reservedMs, reserves }] of uses.entries()) {
          assert.equal(shares[index]!.chargedMs, dueMs);
          assert.ok(!reserves || shares[index]!.reservedMs >= reservedMs - dueMs);
        }
      }),
    );
  });

  it('leaves nothing over while a socket has less than a slice', () => {
    fc.assert(
      fc.property(anyMs, fc.array(anyUse), (creditMs, uses) => {
        const { freeMs, shares } = shareCredit(creditMs, uses, MOST_MS);
        const isShort = shares.some(({ reservedMs }, index) => uses[index]!.reserves && reservedMs < SLICE_MS);
        assert.ok(!isShort || freeMs === 0);
      }),
    );
  });

  it('gives what one socket does not need to the one that lacks more, whichever comes first', () => {
    const uses = [0, 841].map((reservedMs) => ({ dueMs: 0, reservedMs, reserves: true }));
    const { shares, freeMs } = shareCredit(1161, uses, MOST_MS);
    assert.deepEqual([shares.map(({ reservedMs }) => reservedMs), freeMs], [[161, 1000], 0]);
  });

  it('reserves nothing for a socket that is closed', () => {
    const closed = { dueMs: 300, reservedMs: 1000, reserves: false };
    assert.deepEqual(shareCredit(5000, [closed], MOST_MS), {
      shares: [{ chargedMs: 300, reservedMs: 0 }],
      freeMs: 4700,
    });
  });

  it('divides little evenly', () => {
    const open = { dueMs: 0, reservedMs: 0, reserves: true };
    const { shares } = shareCredit(1000, [open, open, open], MOST_MS);
    assert.deepEqual(
      shares.map(({ reservedMs }) => reservedMs),
      [334, 333, 333],
    );
  });
});

describe('reservation', () => {
  it('is a slice while there is little, and lasts for a lease while there is much', () => {
    assert.equal(reservation(4000, 1, MOST_MS), SLICE_MS);
    assert.equal(reservation(8000, 1, MOST_MS), 2000);
    assert.equal(reservation(1_000_000, 20, MOST_MS), MOST_MS);
  });
});
