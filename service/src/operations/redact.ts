/** What stands where a secret was. */
const REDACTED = '[secret]';

/**
 * Shapes of secrets: what is before them is kept. Each begins where nothing of its own kind goes before it, so that it is
 * tried once per stretch of text, however long a stretch somebody sends.
 */
const SHAPES: readonly RegExp[] = [
  /((?<=[^\s"])\?)[^\s"\\]+/g, // queries: that of a session URL holds its token
  /()(?<![\w-])eyJ[\w-]*\.[\w-]*\.[\w-]*(?:\.[\w-]*){0,2}/g, // tokens and sealed bundles: JWT, JWE
  /()(?<![\w-])svc_[\w-]{40,}/g, // our API keys
  /((?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/gi, // passwords in addresses
  /(\bbearer\s+)[^\s"',]+/gi,
];

/**
 * Takes out of a text what looks like a secret, and those that are given.
 *
 * @param secrets - Secrets that cannot be told by their shape, such as keys from the environment. Short ones (less than
 *   8 characters) are left out: they would be found in ordinary words.
 */
export function createRedactor(secrets: readonly string[] = []): (text: string) => string {
  const escaped = secrets.filter((secret) => secret.length >= 8).flatMap((secret) => [secret, inJson(secret)]);
  return (text) => {
    const known = escaped.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return SHAPES.reduce((rest, shape) => rest.replace(shape, `$1${REDACTED}`), known);
  };
}

/** As it is written in a line of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
