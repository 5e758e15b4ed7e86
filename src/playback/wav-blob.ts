const HEADER_BYTES = 44;

/**
 * Makes a WAV file (RIFF, PCM, 16 bit, mono).
 *
 * @param sampleRate - In Hz.
 */
export function wavBlob(samples: Int16Array, sampleRate: number): Blob {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  const text = (at: number, value: string): void => {
    for (let i = 0; i < value.length; i++) view.setUint8(at + i, value.charCodeAt(i));
  };
  const bytes = samples.length * 2;
  text(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + bytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, bytes, true);
  return new Blob([view, littleEndian(samples)], { type: 'audio/wav' });
}

/** The bytes of the samples in the byte order of WAV, whatever that of the machine is. */
function littleEndian(samples: Int16Array): DataView {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  samples.forEach((sample, index) => view.setInt16(index * 2, sample, true));
  return view;
}
