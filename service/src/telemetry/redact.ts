/** Replacement for a secret. */
const REDACTED = '[secret]';

/**
 * Patterns of secrets; group 1 is kept. Each pattern can only match at the start of a run of its own characters. So
 * each run is tried once, and time stays linear in the length of the text.
 */
const SHAPES: readonly RegExp[] = [
  /((?<=[^\s"])\?)[^\s"\\]+/g, // queries: the query of a session URL contains its token
  /()(?<![\w-])eyJ[\w-]*\.[\w-]*\.[\w-]*(?:\.[\w-]*){0,2}/g, // tokens and encrypted bundles: JWT, JWE
  /()(?<![\w-])svc_[\w-]{40,}/g, // API keys
  /((?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/gi, // passwords in URLs
  /(\bbearer\s+)[^\s"',]+/gi,
];

/**
 * Creates a function that replaces the given secrets, and anything that looks like a secret, in a text.
 *
 * @param secrets - Secrets that have no recognizable pattern, such as keys from the environment. Those shorter than 8
 *   characters are ignored, because they would match in ordinary words.
 */
export function createRedactor(secrets: readonly string[] = []): (text: string) => string {
  const escaped = secrets.filter((secret) => secret.length >= 8).flatMap((secret) => [secret, inJson(secret)]);
  return (text) => {
    const known = escaped.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return SHAPES.reduce((rest, shape) => rest.replace(shape, `$1${REDACTED}`), known);
  };
}

/** Returns the text as it appears inside a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
