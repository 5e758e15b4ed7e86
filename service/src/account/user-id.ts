import { randomBytes } from 'node:crypto';
import { AccountError } from './account-error.js';

/** No colon is allowed: the identity in a room is the user's id, a colon and a name. */
const USER_ID = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;

/** Makes an id for a user who has no id from another system. */
export function makeUserId(): string {
  return `user_${randomBytes(9).toString('hex')}`;
}

/**
 * Checks the id of a user: 1 to 128 letters, digits and `.` `_` `@` `+` `-`, a letter or digit first.
 *
 * @throws {AccountError} If the id is anything else.
 */
export function checkUserId(id: string): void {
  if (USER_ID.test(id)) return;
  throw new AccountError(
    'The id of a user is 1 to 128 letters, digits and any of . _ @ + - (a letter or digit first): ' +
      `${JSON.stringify(id.slice(0, 40))} is not.`,
  );
}
