import { IS_LITTLE_ENDIAN } from '../base/little-endian.js';
import { wavHeader } from '../base/wav-header.js';

/**
 * Makes a WAV file (RIFF, PCM, 16 bit, mono).
 *
 * @param sampleRate - In Hz.
 * @param isLittleEndian - Byte order of the machine; for tests.
 */
export function wavBlob(
  samples: Int16Array<ArrayBuffer>,
  sampleRate: number,
  isLittleEndian: boolean = IS_LITTLE_ENDIAN,
): Blob {
  const body = isLittleEndian ? samples : littleEndian(samples);
  return new Blob([wavHeader(sampleRate, 1, 16, samples.byteLength), body], { type: 'audio/wav' });
}

/** Returns the samples in the little-endian byte order of WAV, on any machine. */
function littleEndian(samples: Int16Array): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(samples.byteLength));
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
