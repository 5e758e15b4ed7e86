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

/** Returns the bytes behind a frame's header. */
const audioIn = (frame: ArrayBuffer): Uint8Array<ArrayBuffer> => new Uint8Array(frame, HEADER);

describe('PcmAssembler', () => {
  it('returns the same samples however the bytes are cut into frames', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat({ max: 60 })), (bytes, cuts) => {
        const assembler = new PcmAssembler();
        const samples = framesOf(bytes, cuts).flatMap((frame) => [...assembler.push(audioIn(frame))]);
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        const expected = Array.from({ length: bytes.length >> 1 }, (_, index) => view.getInt16(2 * index, true));
        assert.deepEqual(samples, expected);
      }),
    );
  });

  it('returns views of the frames, except after a frame that ends in the middle of a sample', () => {
    const assembler = new PcmAssembler();
    const frames = framesOf(new Uint8Array(20), [4, 5, 5, 4]);
    const isView = frames.map((frame) => assembler.push(audioIn(frame)).buffer === frame);
    assert.deepEqual(isView, [true, true, false, true, true]);
  });

  it('keeps the odd byte over an empty message', () => {
    const assembler = new PcmAssembler();
    const pushed = [[0x34], [], [0x12]].map((bytes) => [...assembler.push(Uint8Array.from(bytes))]);
    assert.deepEqual(pushed, [[], [], [0x1234]]);
  });
});
