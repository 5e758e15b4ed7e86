import { wavHeader } from '../base/wav-header.js';

/** Makes a WAV file (RIFF, PCM, 16 bit, mono). @param sampleRate - In Hz. */
export function wavBlob(samples: Int16Array<ArrayBuffer>, sampleRate: number): Blob {
  return new Blob([wavHeader(sampleRate, 1, 16, samples.byteLength), samples], { type: 'audio/wav' });
}

/** @throws {DOMException} InvalidStateError. */
export function throwNotKept(): never {
  throw new DOMException(
    'This speech is no longer kept, or none of it was received yet. Set history to keep more of it.',
    'InvalidStateError',
  );
}
