/** Shortest key that is searched for in an answer. A shorter one is not a secret and may occur in any word. */
const SECRET_MIN = 16;

/**
 * Returns true if a text contains the key, either plain, as escaped in a URL, in JSON or in HTML, or in base64 from its first
 * character on. Keys of fewer than 16 characters are not searched for.
 */
export function holdsSecret(text: string, secret: string): boolean {
  return secret.length >= SECRET_MIN && new RegExp(anySpelling(secret)).test(text);
}

/** Replaces the key in a text with `[key]`, in the same spellings. */
export function redact(text: string, secret: string): string {
  return text.replaceAll(new RegExp(anySpelling(secret), 'g'), '[key]');
}

/**
 * Pattern of the key (visible ASCII). Each character matches as itself, as `%2F`, `%252F`, `\/`, `\u002f`, `&#47;` or
 * `&#x2f;`. In base64, as in the header of a Basic authentication, the last characters depend on what follows the key.
 */
function anySpelling(secret: string): string {
  const whole = btoa(secret.slice(0, secret.length - (secret.length % 3))).replaceAll(/[+/]/g, (sign) =>
    sign === '+' ? '[+-]' : '[/_]',
  );
  const plain = Array.from(secret, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    // Longest first: for a key that ends in a percent sign, `%` alone would leave the `25` of `%25` behind.
    return String.raw`(?:\\u00${anyCase}|%(?:25)*${anyCase}|&#(?:${character.charCodeAt(0)}|x${anyCase});|\\?\x${hex})`;
  }).join('');
  return secret.length < SECRET_MIN ? plain : String.raw`${plain}|${whole}[\w+/=-]*`;
}
