/** Shortest key that is looked for in an answer: a shorter one is no secret and may turn up in any word. */
const SECRET_MIN = 16;

/** Tells whether a text holds the key, as it is or as it stands in a URL. Keys of fewer than 16 characters are not looked for. */
export function holdsSecret(text: string, secret: string): boolean {
  return secret.length >= SECRET_MIN && spellings(secret).some((spelling) => text.includes(spelling));
}

/** Takes the key out of a text, as it is or as it stands in a URL. */
export function redact(text: string, secret: string): string {
  return spellings(secret).reduce((rest, spelling) => rest.replaceAll(spelling, '[key]'), text);
}

function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret)];
}
