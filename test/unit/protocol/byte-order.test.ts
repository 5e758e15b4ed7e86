import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ByteOrderDetector, encodeFrame, type ByteOrder } from '../../../src/protocol/index.js';

const anyByteOrder = fc.constantFrom('big' as const, 'little' as const);

/** Returns a detector that has observed header-only frames with these sequence numbers. */
function observe(sequences: readonly number[], byteOrder: ByteOrder): ByteOrderDetector {
  const detector = new ByteOrderDetector();
  for (const sequence of sequences) {
    const header = { version: 1, flags: 0, context: 1, sequence, pts: sequence * 480 };
    detector.observe(encodeFrame(header, new Int16Array(0), byteOrder));
  }
  return detector;
}

describe('ByteOrderDetector', () => {
  it('reports unknown before the first step', () => {
    for (const sequences of [[], [0], [1], [7, 7, 7], [0x01020304]]) {
      assert.equal(observe(sequences, 'big').byteOrder, 'unknown');
    }
  });

  it('detects the order at the second frame, wherever the sequence begins', () => {
    // 2 ** 32 - 2 is the last start from which a second frame still steps by one without a wrap.
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 2), anyByteOrder, (first, byteOrder) => {
        assert.equal(observe([first, first + 1], byteOrder).byteOrder, byteOrder);
      }),
    );
  });

  it('detects the order of any sequence that repeats or grows by one', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.array(fc.boolean(), { minLength: 2 }),
        anyByteOrder,
        (first, steps, order) => {
          let sequence = first;
          const sequences = steps.map((step) => (sequence = (sequence + Number(step)) >>> 0));
          const grew = sequences.some((value, index) => index > 0 && sequences[index - 1] === value - 1);
          assert.equal(observe(sequences, order).byteOrder, grew ? order : 'unknown');
        },
      ),
    );
  });

  it('is not misled by a wrap, which looks the same in both orders', () => {
    assert.equal(observe([2 ** 32 - 1, 0], 'big').byteOrder, 'unknown');
    assert.equal(observe([2 ** 32 - 1, 0, 1], 'little').byteOrder, 'little');
  });

  it('keeps the detected order over jumps and restarts', () => {
    for (const byteOrder of ['big', 'little'] as const) {
      assert.equal(observe([0, 1, 2, 900, 0, 0, 1, 5_000_000], byteOrder).byteOrder, byteOrder);
    }
  });

  it('follows the majority of the steps', () => {
    // In the other byte order, a jump by 2 ** 24 is a step by one.
    assert.equal(observe([0, 2 ** 24, 2 ** 24 + 1, 2 ** 24 + 2], 'big').byteOrder, 'big');
  });

  it('skips frames too short for a header and never throws on random bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 24 })), (frames) => {
        const detector = new ByteOrderDetector();
        for (const frame of frames) detector.observe(frame);
        assert.ok(['big', 'little', 'unknown'].includes(detector.byteOrder));
      }),
    );
  });
});
