import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ByteOrderDetector, encodeFrame, type ByteOrder } from '../../../src/protocol/index.js';

const anyByteOrder = fc.constantFrom('big' as const, 'little' as const);

/** A detector that has seen header-only frames with these sequences. */
function observe(sequences: readonly number[], byteOrder: ByteOrder): ByteOrderDetector {
  const detector = new ByteOrderDetector();
  for (const sequence of sequences) {
    const header = { version: 1, flags: 0, context: 1, sequence, pts: sequence * 480 };
    detector.observe(encodeFrame(header, new Int16Array(0), byteOrder));
  }
  return detector;
}

describe('ByteOrderDetector', () => {
  it('knows nothing before the first step', () => {
    for (const sequences of [[], [0], [1], [7, 7, 7], [0x01020304]]) {
      assert.equal(observe(sequences, 'big').byteOrder, 'unknown');
    }
  });

  it('tells the order from the second frame on, wherever the sequence begins', () => {
    // 2 ** 32 - 2 is the last start from which a second frame still steps by one without a wrap.
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 2), anyByteOrder, (first, byteOrder) => {
        assert.equal(observe([first, first + 1], byteOrder).byteOrder, byteOrder);
      }),
    );
  });

  it('tells the order of any sequence that repeats or grows by one', () => {
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

  it('is not misled by a wrap, which looks the same both ways', () => {
    assert.equal(observe([2 ** 32 - 1, 0], 'big').byteOrder, 'unknown');
    assert.equal(observe([2 ** 32 - 1, 0, 1], 'little').byteOrder, 'little');
  });

  it('keeps what it knows over jumps and restarts', () => {
    for (const byteOrder of ['big', 'little'] as const) {
      assert.equal(observe([0, 1, 2, 900, 0, 0, 1, 5_000_000], byteOrder).byteOrder, byteOrder);
    }
  });

  it('goes with the majority of the steps', () => {
    // A jump by 2 ** 24 is a step by one in the other reading.
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
