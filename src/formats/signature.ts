/** Number of bytes that `isFile` and `tagLength` need. */
export const SIGNATURE_BYTES = 24;
/** Finds signatures of files, and of a tag that precedes one. */
export const SIGNATURES = /OggS|[^ -\xff]E\xdf\xa3|fLaC|(?:RIFF|RF64|BW64)[^]{4}WAVE|ID3[^ -\xff]/;
const TAG_HEADER_BYTES = { id3: 10, ape: 32 } as const;
const ID3V1_BYTES = 128;

/** Returns some bytes as a string with one character per byte. */
export function textAt(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}

/** Returns true if bytes begin like a file of a format whose first bytes leave no doubt. */
export function isFile(bytes: Uint8Array): boolean {
  return ['OggS', '\x1aE\xdf\xa3', 'fLaC'].includes(textAt(bytes, 0, 4)) || isWave(bytes);
}

/** Returns true if bytes begin like a WAV file, also one of more than 4 GB (RF64, BW64). */
export function isWave(bytes: Uint8Array): boolean {
  return /^(?:RIFF|RF64|BW64)[^]{4}WAVE/.test(textAt(bytes, 0, 12));
}

/** Returns true if bytes begin like JSON, HTML or a multipart boundary, which servers send behind audio. */
export function isMessage(bytes: Uint8Array): boolean {
  return /^\s*(?:\{\s*"|\[\s*["{]|<[!?a-z]|--\w)[\s!-\xff]*$/i.test(textAt(bytes, 0, SIGNATURE_BYTES));
}

/** Returns true if bytes begin like an MP4 or QuickTime file, or a part of one. */
export function isMp4(bytes: Uint8Array): boolean {
  return /ftyp|styp|sidx|ssix|moo[fv]|mdat|wide|free|skip|pnot|emsg|prft|uuid|pdin|meta/.test(textAt(bytes, 4, 4));
}

/**
 * Returns the length in bytes of the tag (ID3 or APE) that begins with these bytes; 0 if there is none. A tag of APE may
 * have no header. Its footer states the length of what precedes it.
 */
export function tagLength(bytes: Uint8Array): number {
  const head = textAt(bytes, 0, SIGNATURE_BYTES);
  // Version 2 to 4, and a length of four bytes with seven bits each.
  if (head.startsWith('ID3') && bytes[3]! > 1 && bytes[3]! < 5) {
    return TAG_HEADER_BYTES.id3 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  }
  if (head.startsWith('APETAGEX')) {
    const isHeader = (bytes[23]! & 0x20) > 0;
    return (
      TAG_HEADER_BYTES.ape + bytes.subarray(12, isHeader ? 16 : 12).reduceRight((sum, byte) => sum * 256 + byte, 0)
    );
  }
  return head.startsWith('TAG') ? ID3V1_BYTES : 0;
}
