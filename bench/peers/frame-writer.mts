import { encodeFrame } from '../../src/protocol/index.js';
import type { FrameFormat } from './plan.mjs';
import { SOURCE_RATE } from './speech-signal.mjs';

const WAV_HEADER_BYTES = 44;

/** Encodes the samples of a frame; `index` is the number of the frame, from 0. */
type FrameWriter = (samples: Int16Array, index: number) => Uint8Array | string;

/** Encoders of the frame formats. */
export const frameWriters: Readonly<Record<FrameFormat, FrameWriter>> = {
  s16le: (samples) => new Uint8Array(samples.slice().buffer),
  f32le: (samples) => new Uint8Array(Float32Array.from(samples, (sample) => sample / 32768).buffer),
  evi: (samples, index) =>
    JSON.stringify({ type: 'audio_output', id: 'bench', index, data: wav(samples).toString('base64') }),
  realtime: (samples) => {
    const delta = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');
    const place = { response_id: 'bench', item_id: 'bench', output_index: 0, content_index: 0 };
    return JSON.stringify({ type: 'response.output_audio.delta', ...place, delta });
  },
  svctts: (samples, sequence) => {
    const header = { version: 1, flags: 0, context: 0, sequence, pts: sequence * samples.length };
    return new Uint8Array(encodeFrame(header, samples, 'big'));
  },
};

function wav(samples: Int16Array): Buffer {
  const file = Buffer.alloc(WAV_HEADER_BYTES + 2 * samples.length);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SOURCE_RATE, 24);
  file.writeUInt32LE(2 * SOURCE_RATE, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(2 * samples.length, 40);
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).copy(file, WAV_HEADER_BYTES);
  return file;
}
