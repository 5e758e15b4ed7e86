import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeFrameHeader, encodeFrame, FRAME_HEADER_BYTES } from '../../../src/protocol/index.js';

const anyHeader = fc.record(
  {
    version: fc.nat(0xff),
    flags: fc.nat(0xff),
    context: fc.nat(0xffff),
    sequence: fc.nat(0xffffffff),
    pts: fc.nat(0xffffffff),
  },
  { noNullPrototype: true },
);
const anyByteOrder = fc.constantFrom('big' as const, 'little' as const);
const header = { version: 1, flags: 2, context: 0x0304, sequence: 0x05060708, pts: 0x090a0b0c };

describe('encodeFrame', () => {
  it('writes frames that decode to the same values, in both byte orders', () => {
    fc.assert(
      fc.property(anyHeader, fc.int16Array(), anyByteOrder, (written, pcm, byteOrder) => {
        const frame = encodeFrame(written, pcm, byteOrder);
        assert.deepEqual(decodeFrameHeader(frame, byteOrder), written);
        const view = new DataView(frame, FRAME_HEADER_BYTES);
        assert.equal(view.byteLength, pcm.byteLength);
        pcm.forEach((sample, index) => assert.equal(view.getInt16(2 * index, true), sample));
      }),
    );
  });

  it('writes the fields in the order of the spec, and samples little-endian', () => {
    const big = encodeFrame(header, Int16Array.of(0x0d0e), 'big');
    assert.deepEqual([...new Uint8Array(big)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x0e, 0x0d]);
    const little = encodeFrame(header, Int16Array.of(0x0d0e), 'little');
    assert.deepEqual([...new Uint8Array(little)], [1, 2, 4, 3, 8, 7, 6, 5, 12, 11, 10, 9, 0x0e, 0x0d]);
  });

  it('wraps numbers that are too large', () => {
    const frame = encodeFrame({ ...header, context: 0x1_0002, sequence: 2 ** 32 }, new Int16Array(0), 'big');
    assert.deepEqual(decodeFrameHeader(frame, 'big'), { ...header, context: 2, sequence: 0 });
  });

  it('copies only the samples of a view of a larger buffer', () => {
    const pcm = Int16Array.of(1, 2, 3, 4).subarray(1, 3);
    assert.deepEqual([...new Int16Array(encodeFrame(header, pcm, 'big'), FRAME_HEADER_BYTES)], [2, 3]);
  });
});

describe('decodeFrameHeader', () => {
  it('reads from the middle of a buffer', () => {
    const bytes = new Uint8Array(20);
    bytes.set(new Uint8Array(encodeFrame(header, new Int16Array(0), 'big')), 3);
    assert.deepEqual(decodeFrameHeader(bytes.subarray(3), 'big'), header);
  });

  it('never throws, and returns null for fewer bytes than a header', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), anyByteOrder, (bytes, byteOrder) => {
        assert.equal(decodeFrameHeader(bytes, byteOrder) === null, bytes.length < FRAME_HEADER_BYTES);
        assert.equal(decodeFrameHeader(bytes.slice().buffer, byteOrder) === null, bytes.length < FRAME_HEADER_BYTES);
      }),
    );
  });
});
