import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PcmAssembler } from '../../../src/connection/pcm-assembler.js';

const HEADER = 12;

/** Returns frames that carry `bytes`: payloads of the lengths in `cuts`, and one frame with the rest. */
function framesOf(bytes: Uint8Array, cuts: readonly number[]): ArrayBuffer[] {
  const frames: ArrayBuffer[] = [];
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    const payload = bytes.slice(at, at + cut);
    at += payload.length;
    const frame = new Uint8Array(HEADER + payload.length).fill(0xee);
    frame.set(payload, HEADER);
    frames.push(frame.buffer);
  }
  return frames;
}

describe('PcmAssembler', () => {
  it('returns the same samples however the bytes are cut into frames, on machines of both byte orders', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.array(fc.nat({ max: 60 })),
        fc.boolean(),
        (bytes, cuts, little) => {
          const assembler = new PcmAssembler(little);
          const samples = framesOf(bytes, cuts).flatMap((frame) => [...assembler.push(frame)]);
          const view = new DataView(bytes.buffer, bytes.byteOffset);
          const expected = Array.from({ length: bytes.length >> 1 }, (_, index) => view.getInt16(2 * index, true));
          assert.deepEqual(samples, expected);
        },
      ),
    );
  });

  it('returns views of the frames, except after a frame that ends in the middle of a sample', () => {
    const assembler = new PcmAssembler(true);
    const frames = framesOf(new Uint8Array(20), [4, 5, 5, 4]);
    const isView = frames.map((frame) => assembler.push(frame).buffer === frame);
    assert.deepEqual(isView, [true, true, false, true, true]);
  });

  it('skips a frame that is shorter than a header and keeps the odd byte over it', () => {
    const assembler = new PcmAssembler();
    const [odd, rest] = framesOf(Uint8Array.of(0x34, 0x12), [1]);
    assert.equal(assembler.push(odd!).length, 0);
    assert.equal(assembler.push(new ArrayBuffer(5)).length, 0);
    assert.deepEqual([...assembler.push(rest!)], [0x1234]);
  });
});
