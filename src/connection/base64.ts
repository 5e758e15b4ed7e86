/** The beginning of a `data:` URL. */
const DATA_URL = /^data:[^,]*;base64,/;
/** Hexadecimal digits, which some services send in place of base64. Audio as base64 has other characters too. */
const HEX = /^(?=\D*\d)[\da-f]{32,}$/;

/**
 * Decodes base64, also that of URLs, without padding, in lines, or in a `data:` URL; and hexadecimal digits. Returns null
 * for anything else.
 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (HEX.test(base64)) return Uint8Array.from(base64.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  try {
    const text = atob(
      base64
        .replace(DATA_URL, '')
        .replace(/-/g, '+')
        .replace(/_/g, '/')
        .replace(/=+\s*$/, ''),
    );
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
