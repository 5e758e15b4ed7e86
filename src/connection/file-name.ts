const NAMES = { RIFF: 'a WAV file', ID3: 'MP3', OggS: 'Ogg', fLaC: 'FLAC', '\x1aE\xdf\xa3': 'WebM' };
/** Longest frame of MP3, in bytes. */
const MP3_FRAME_BYTES = 1441;

/** Returns the name of the file format with whose signature bytes begin; null for raw samples. */
export function fileNameOf(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 4));
  for (const [signature, name] of Object.entries(NAMES)) {
    if (head.startsWith(signature)) return name;
  }
  return beginsLikeMp3(bytes) ? 'MP3' : null;
}

/** Returns true for two headers of layer III with the same version, bit rate and sample rate. */
function beginsLikeMp3(bytes: Uint8Array): boolean {
  const [first, second, third = 0] = bytes;
  const isHeader = first === 0xff && (second! & 0xe6) === 0xe2 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  if (!isHeader) return false;
  for (let at = 24; at <= MP3_FRAME_BYTES; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] === second && (bytes[at + 2]! ^ third) < 4) return true;
  }
  return false;
}
