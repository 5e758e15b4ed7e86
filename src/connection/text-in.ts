/** Length of a text above which its bytes are not played. A shorter one may be samples, and is too short to be noise. */
const TEXT_LENGTH = 32;
/** A control character that is no white space. */
const CONTROL = /[^\P{Cc}\s]/u;
/** Audio data, or a key. */
const DATA = /[\w+/=.-]{30,}/g;
/** Most characters of a text that an error quotes. */
const QUOTE_LENGTH = 120;
/** Edges that some programs put before and after a text: a byte order mark, and 0. */
const EDGES = /^\uFEFF|\0$/g;

/** Returns the text that a binary message is, because some relays forward each message as binary; null for samples. */
export function textIn(data: ArrayBuffer | Uint8Array<ArrayBuffer>): string | null {
  try {
    const text = withoutEdges(new TextDecoder('utf-8', { fatal: true }).decode(data));
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Returns true for a text that `textIn` has found and that is too long to be samples. */
export function isText(text: string | null): text is string {
  return text !== null && text.length >= TEXT_LENGTH;
}

/** Returns the beginning of a text for an error, without audio data and keys. */
export function quoteOf(text: string): string {
  return text.replaceAll(DATA, '…').slice(0, QUOTE_LENGTH);
}

/** Returns a text without what some programs put around it. */
export function withoutEdges(text: string): string {
  return text.replace(EDGES, '');
}
