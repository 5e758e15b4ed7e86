/** An `<audio>` element with a tone, to compare a speaker with. It loads nothing before it is played. */
export function audioElement(seconds: number): HTMLAudioElement {
  const audio = document.createElement('audio');
  audio.preload = 'none';
  audio.src = URL.createObjectURL(new Blob([waveFile(seconds)], { type: 'audio/wav' }));
  document.body.append(audio);
  return audio;
}

/** A quiet tone of 440 Hz in a WAVE file: mono, 16 bit, 24 kHz. */
function waveFile(seconds: number): ArrayBuffer {
  const rate = 24000;
  const samples = Math.round(seconds * rate);
  const file = new DataView(new ArrayBuffer(44 + 2 * samples));
  const text = (at: number, letters: string): void => {
    for (let i = 0; i < letters.length; i++) file.setUint8(at + i, letters.charCodeAt(i));
  };
  text(0, 'RIFF');
  file.setUint32(4, 36 + 2 * samples, true);
  text(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, rate, true);
  file.setUint32(28, 2 * rate, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  text(36, 'data');
  file.setUint32(40, 2 * samples, true);
  for (let i = 0; i < samples; i++) {
    file.setInt16(44 + 2 * i, 3000 * Math.sin((2 * Math.PI * 440 * i) / rate), true);
  }
  return file.buffer;
}
