const HEADER_BYTES = 44;
const PCM = 1;
const IEEE_FLOAT = 3;
/** Length field of a file whose length is not known yet. */
const UNKNOWN_LENGTH = 0xffffffff;

/**
 * Makes the header of a WAV file (RIFF WAVE, Multimedia Programming Interface and Data Specifications 1.0). Any thread.
 *
 * @param sampleRate - Sample rate in Hz.
 * @param bits - Bits per sample: 16 for integers, 32 for floats.
 * @param dataBytes - Length in bytes of the samples that follow, little-endian and interleaved; null if unknown.
 */
export function wavHeader(
  sampleRate: number,
  channels: number,
  bits: 16 | 32,
  dataBytes: number | null,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  const name = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  };
  const frameBytes = (channels * bits) / 8;
  name(0, 'RIFF');
  view.setUint32(4, dataBytes === null ? UNKNOWN_LENGTH : HEADER_BYTES - 8 + dataBytes, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, bits === 16 ? PCM : IEEE_FLOAT, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, bits, true);
  name(36, 'data');
  view.setUint32(40, dataBytes ?? UNKNOWN_LENGTH, true);
  return new Uint8Array(view.buffer);
}
