import { readJson } from './read-json.js';

/** Avatar whose room is joined. `svc-service` includes one with this id. */
const AVATAR_ID = 'demo';

/** A room token and its claims. */
export interface RoomToken {
  /** JWT for the room's server, which verifies it. */
  readonly token: string;
  readonly room: string;
  /** Identity of the participant: account and name. */
  readonly identity: string;
  readonly expiresAt: Date;
}

/**
 * Requests a room token from the page's backend.
 *
 * @param name - Name of the participant; empty for the service's default.
 * @throws {Error} If the name has control characters or the backend refuses.
 */
export async function getRoomToken(name: string): Promise<RoomToken> {
  if (/\p{Cc}/u.test(name)) throw new Error('A name must not hold tabs or other characters that cannot be seen.');
  const query = new URLSearchParams({ avatar_id: AVATAR_ID, ...(name && { name }) });
  const response = await fetch(`/speech/rooms/token?${query.toString()}`);
  const { token, room_name } = (await readJson(response)) as { token: string; room_name: string };
  const { sub, exp } = readClaims(token);
  return { token, room: room_name, identity: sub, expiresAt: new Date(exp * 1000) };
}

/** Returns the claims of a JWT without verifying it. */
function readClaims(token: string): { sub: string; exp: number } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as { sub: string; exp: number };
}
