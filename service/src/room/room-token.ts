import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../clock.js';
import type { RoomSigningKey } from './room-signing-key.js';

/** Lifetime of a room token, in seconds: how long somebody may take to join. Who is in the room stays. */
export const ROOM_TOKEN_SECONDS = 15 * 60;

/** Who joins which room, for which avatar. */
export interface RoomEntry {
  readonly accountId: string;
  readonly avatarId: string;
  /** What the user is called, to others and to us. */
  readonly name: string;
  readonly room: string;
}

/** Issues the tokens with which users join rooms. */
export interface RoomTokens {
  /** @returns A JWT that a LiveKit server with our key accepts for this room, for {@link ROOM_TOKEN_SECONDS}. */
  issue(entry: RoomEntry): Promise<string>;
}

/** Where {@link createRoomTokens} gets its key and the time. */
export interface RoomTokenOptions {
  /** Returns the key to sign with now. */
  readonly signingKey: () => Promise<RoomSigningKey>;
  readonly clock: Clock;
}

/**
 * Tokens as LiveKit wants them (HS256; issuer, identity, name and grants), signed with its API key and secret.
 *
 * The identity is made of account and name, so that what is remembered of a user is found again when they come back
 * (interface-spec 4.4): the same name of the same account is the same user.
 */
export function createRoomTokens({ signingKey, clock }: RoomTokenOptions): RoomTokens {
  return {
    async issue({ accountId, avatarId, name, room }) {
      const { key, secret } = await signingKey();
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({
        name,
        video: { room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
        metadata: JSON.stringify({ avatar_id: avatarId, user_id: accountId }),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key })
        .setIssuer(key)
        .setSubject(roomIdentity(accountId, name))
        .setJti(randomUUID())
        .setNotBefore(issuedAt)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ROOM_TOKEN_SECONDS)
        .sign(new TextEncoder().encode(secret));
    },
  };
}

/** Name of a room that nobody can guess. */
export function makeRoomName(): string {
  return `room-${randomUUID()}`;
}

/** `account:name`, of which no two pairs make the same: the account's part holds no bare colon. */
function roomIdentity(accountId: string, name: string): string {
  return `${accountId.replaceAll('%', '%25').replaceAll(':', '%3A')}:${name}`;
}
