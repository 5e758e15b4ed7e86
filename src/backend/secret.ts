/** Shortest key that is looked for in an answer: a shorter one is no secret and may turn up in any word. */
const SECRET_MIN = 16;

/**
 * Tells whether a text holds the key, as it is or as it stands in a URL or in JSON. Keys of fewer than 16 characters are
 * not looked for.
 */
export function holdsSecret(text: string, secret: string): boolean {
  return secret.length >= SECRET_MIN && new RegExp(anySpelling(secret)).test(text);
}

/** Takes the key out of a text, as it is or as it stands in a URL or in JSON. */
export function redact(text: string, secret: string): string {
  return text.replaceAll(new RegExp(anySpelling(secret), 'g'), '[key]');
}

/** Pattern of the key, of visible ASCII, in which each character may stand for itself, as `%2F`, as `\/` or as `\u002f`. */
function anySpelling(secret: string): string {
  return Array.from(secret, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    // Longest first: of a key that ends in a percent sign, `%` alone would leave the `25` of `%25` behind.
    return String.raw`(?:\\u00${anyCase}|%${anyCase}|\\?\x${hex})`;
  }).join('');
}
