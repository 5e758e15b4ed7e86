import { randomBytes } from 'node:crypto';
import { AccountError } from './account-error.js';

/** No colon: the identity in a room is the user's id, a colon and a name. */
const USER_ID = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;

/** Makes the id of a user who has none elsewhere. */
export function makeUserId(): string {
  return `user_${randomBytes(9).toString('hex')}`;
}

/**
 * Refuses what cannot be a user's id: 1 to 128 letters, digits and `.` `_` `@` `+` `-`, a letter or digit first.
 *
 * @throws {AccountError} Saying so.
 */
export function checkUserId(id: string): void {
  if (USER_ID.test(id)) return;
  throw new AccountError(
    'The id of a user is 1 to 128 letters, digits and any of . _ @ + - (a letter or digit first): ' +
      `${JSON.stringify(id.slice(0, 40))} is not.`,
  );
}
