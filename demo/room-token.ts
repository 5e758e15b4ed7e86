import { readAnswer } from './read-answer.js';

/** What a room token says; the page reads it to show it, and the room's server checks it. */
export interface RoomToken {
  /** For the room's server. */
  readonly token: string;
  readonly room: string;
  /** Who the bearer is in the room: account and name. */
  readonly identity: string;
  readonly expiresAt: Date;
}

/**
 * Asks the page's own backend for a token to join a room.
 *
 * @param name - What the user is called; empty for the service's default.
 * @throws {Error} If there is none; the message says why.
 */
export async function getRoomToken(avatarId: string, name: string): Promise<RoomToken> {
  if (/\p{Cc}/u.test(name)) throw new Error('A name must not hold tabs or other characters that cannot be seen.');
  const query = new URLSearchParams({ avatar_id: avatarId, ...(name && { name }) });
  const response = await fetch(`/speech/rooms/token?${query.toString()}`);
  const { token, room_name } = (await readAnswer(response)) as { token: string; room_name: string };
  const { sub, exp } = readClaims(token);
  return { token, room: room_name, identity: sub, expiresAt: new Date(exp * 1000) };
}

/** The claims of a JWT, unchecked. */
function readClaims(token: string): { sub: string; exp: number } {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as { sub: string; exp: number };
}
