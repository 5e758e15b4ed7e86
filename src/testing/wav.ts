import { wavHeader } from '../base/wav-header.js';
import type { Sound } from './sound.js';

/** Header length of the files that `encodeWav` writes, in bytes. */
const HEADER_BYTES = 44;

/** Format tags: PCM, and "extensible", whose subtype names the format. */
const PCM = 1;
const EXTENSIBLE = 0xfffe;

/**
 * Parses a WAV file (RIFF WAVE, Multimedia Programming Interface and Data Specifications 1.0).
 *
 * @throws {Error} If it is not a WAV file, is not mono with 16 bits, or has no samples.
 */
export function decodeWav(file: Uint8Array): Sound {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < HEADER_BYTES || name(0) !== 'RIFF' || name(8) !== 'WAVE') throw new Error('This is no WAV file.');
  let sampleRate = 0;
  // Each chunk has a name and a length, and a padding byte if the length is odd.
  for (let at = 12; at + 8 <= file.length;) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name(at) === 'fmt ') {
      const [tag, channels] = [view.getUint16(body, true), view.getUint16(body + 2, true)];
      sampleRate = view.getUint32(body + 4, true);
      const bits = view.getUint16(body + 14, true);
      if ((tag !== PCM && tag !== EXTENSIBLE) || channels !== 1 || bits !== 16) {
        throw new Error(
          `The WAV file has ${channels} channel(s) of ${bits} bits (format ${tag}): the service sends mono, 16 bits. ` +
            'Convert it: sox in.wav -c 1 -b 16 -e signed out.wav',
        );
      }
    } else if (name(at) === 'data') {
      if (sampleRate === 0) throw new Error('The WAV file does not say what format it has.');
      // A file that was written to a pipe may state a length that exceeds its size.
      const samples = new Int16Array(Math.floor(Math.min(length, file.length - body) / 2));
      for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(body + 2 * i, true);
      return { samples, sampleRate };
    }
    at = body + length + (length % 2);
  }
  throw new Error('The WAV file has no samples.');
}

/**
 * Encodes a WAV file with 16 bits per sample.
 *
 * @param samples - Mono, in [-1, 1]; values outside are clipped.
 * @param sampleRate - In Hz.
 * @param channels - Written instead of `samples`; each as long as `samples`.
 */
export function encodeWav(
  samples: Float32Array,
  sampleRate: number,
  channels: readonly Float32Array[] = [samples],
): Buffer {
  const frameBytes = 2 * channels.length;
  const dataBytes = frameBytes * samples.length;
  const file = Buffer.concat([wavHeader(sampleRate, channels.length, 16, dataBytes), Buffer.alloc(dataBytes)]);
  for (const [index, channel] of channels.entries()) {
    for (let i = 0; i < channel.length; i++) {
      const value = Math.max(-32768, Math.min(32767, Math.round(channel[i]! * 32768)));
      file.writeInt16LE(value, HEADER_BYTES + frameBytes * i + 2 * index);
    }
  }
  return file;
}
