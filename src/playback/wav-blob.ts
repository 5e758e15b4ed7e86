import { wavHeader } from '../base/wav-header.js';

/**
 * Makes a WAV file (RIFF, PCM, 16 bit, mono).
 *
 * @param sampleRate - In Hz.
 */
export function wavBlob(samples: Int16Array, sampleRate: number): Blob {
  return new Blob([wavHeader(sampleRate, 1, 16, 2 * samples.length), littleEndian(samples)], { type: 'audio/wav' });
}

/** Returns the samples in the little-endian byte order of WAV, on any machine. */
function littleEndian(samples: Int16Array): DataView {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  samples.forEach((sample, index) => view.setInt16(index * 2, sample, true));
  return view;
}

/** @throws {DOMException} InvalidStateError. */
export function throwNotKept(): never {
  throw new DOMException(
    'This speech is no longer kept, or none of it was received yet. Set history to keep more of it.',
    'InvalidStateError',
  );
}
