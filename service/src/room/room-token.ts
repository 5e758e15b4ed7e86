import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import type { RoomSigningKey } from './room-signing-key.js';

/** Lifetime of a room token, in seconds: the time to join. Participants may stay in the room longer. */
export const ROOM_TOKEN_SECONDS = 15 * 60;

/** A user who may join a room with an avatar. */
export interface RoomEntry {
  readonly accountId: string;
  readonly avatarId: string;
  /** Name of the user, shown to others and part of the identity. */
  readonly name: string;
  /** True if the caller gave no name. The identity then belongs to this token alone. */
  readonly isGuest: boolean;
  readonly room: string;
}

/**
 * Issues a token in LiveKit's format (HS256; issuer, identity, name and grants), with which a user joins a room within
 * {@link ROOM_TOKEN_SECONDS}.
 *
 * The identity consists of account and name, so that data about a user is found again when the user returns
 * (interface-spec 4.4): the same name in the same account is the same user. LiveKit disconnects a participant when another
 * one joins with its identity, so users without a name get different ones.
 *
 * @param key - API key and secret of the LiveKit server that accepts the token.
 */
export function issueRoomToken(
  { key, secret }: RoomSigningKey,
  { accountId, avatarId, isGuest, name, room }: RoomEntry,
  clock: Clock,
): Promise<string> {
  const issuedAt = Math.floor(clock.now() / 1000);
  return new SignJWT({
    name,
    video: { room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
    metadata: JSON.stringify({ avatar_id: avatarId, user_id: accountId }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key })
    .setIssuer(key)
    .setSubject(roomIdentity(accountId, isGuest ? `${name} ${randomUUID()}` : name))
    .setJti(randomUUID())
    .setNotBefore(issuedAt)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ROOM_TOKEN_SECONDS)
    .sign(new TextEncoder().encode(secret));
}

/** Makes a name for a room that cannot be guessed. */
export function makeRoomName(): string {
  return `room-${randomUUID()}`;
}

/** Returns `account:name`. It is unique for each pair, because colons in the account are escaped. */
function roomIdentity(accountId: string, name: string): string {
  return `${accountId.replaceAll('%', '%25').replaceAll(':', '%3A')}:${name}`;
}
