/** Shortest admin token, in characters. */
const CHARACTERS_MIN = 32;

/**
 * Describes the fault of an admin token that is too short; returns null for a valid one.
 *
 * @param name - Name of the setting, for the message.
 */
export function describeBadToken(name: string, token: string): string | null {
  if (token.length >= CHARACTERS_MIN) return null;
  return (
    `${name} has ${token.length} characters. It must have at least ${CHARACTERS_MIN}, because it gives ` +
    'access to every account. Make one with: openssl rand -hex 32'
  );
}
