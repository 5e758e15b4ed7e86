/** The beginning of a `data:` URL. */
const DATA_URL = /^data:[^,]*;base64,/;
/** Hexadecimal digits, which some services send in place of base64. Audio as base64 has other characters too. */
const HEX = /^(?=\D*\d)[\da-f]{32,}$/;

/**
 * Decodes base64, also that of URLs, without padding, in lines, in a `data:` URL, or of several pieces; and hexadecimal
 * digits. Returns null for anything else, also for base64 that was cut within a group of four letters.
 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (HEX.test(base64)) return Uint8Array.from(base64.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  try {
    const pieces = base64.replace(DATA_URL, '').replace(/\s/g, '').replace(/-/g, '+').replace(/_/g, '/').split(/=+/);
    const last = pieces.at(-1)!;
    const group = last.slice(last.length & ~3);
    // The unused bits of the last letter are 0.
    if (!btoa(atob(group)).startsWith(group)) return null;
    return Uint8Array.from(pieces.map(atob).join(''), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
