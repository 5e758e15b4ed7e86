import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wavBlob } from '../../../src/playback/wav-blob.js';

test('a WAV file has the samples in little-endian order', async () => {
  const samples = Int16Array.of(9, 1, -2, 0x1234, -32768).subarray(1);
  const bytes = await wavBlob(samples, 24_000).arrayBuffer();
  assert.deepEqual([...new Uint8Array(bytes, 44)], [0x01, 0x00, 0xfe, 0xff, 0x34, 0x12, 0x00, 0x80]);
  assert.equal(new DataView(bytes).getUint32(40, true), samples.byteLength);
});
