/** Shortest key that is searched for in an answer. A shorter one is not a secret and may occur in any word. */
const SECRET_MIN = 16;

/**
 * Returns true if a text contains the key, either plain or as escaped in a URL or in JSON. Keys of fewer than 16
 * characters are not searched for.
 */
export function holdsSecret(text: string, secret: string): boolean {
  return secret.length >= SECRET_MIN && new RegExp(anySpelling(secret)).test(text);
}

/** Replaces the key in a text with `[key]`, both plain and as escaped in a URL or in JSON. */
export function redact(text: string, secret: string): string {
  return text.replaceAll(new RegExp(anySpelling(secret), 'g'), '[key]');
}

/** Pattern of the key (visible ASCII). Each character matches as itself, as `%2F`, as `\/` or as `\u002f`. */
function anySpelling(secret: string): string {
  return Array.from(secret, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    // Longest first: for a key that ends in a percent sign, `%` alone would leave the `25` of `%25` behind.
    return String.raw`(?:\\u00${anyCase}|%${anyCase}|\\?\x${hex})`;
  }).join('');
}
