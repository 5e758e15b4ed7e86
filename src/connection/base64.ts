/** Decodes base64, also that of URLs, without padding, or in lines. Returns null for anything else. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(
      base64
        .replace(/-/g, '+')
        .replace(/_/g, '/')
        .replace(/=+\s*$/, ''),
    );
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
