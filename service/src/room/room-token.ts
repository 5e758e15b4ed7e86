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

/** Issues tokens with which users join rooms. */
export interface RoomTokens {
  /**
   * Issues a token.
   *
   * @returns A JWT that a LiveKit server with the same key accepts for this room, for {@link ROOM_TOKEN_SECONDS}.
   */
  issue(entry: RoomEntry): Promise<string>;
}

/** Options of {@link createRoomTokens}. */
export interface RoomTokenOptions {
  /** Returns the key to sign with now. */
  readonly signingKey: () => Promise<RoomSigningKey>;
  readonly clock: Clock;
}

/**
 * Creates tokens in LiveKit's format (HS256; issuer, identity, name and grants), signed with its API key and secret.
 *
 * The identity consists of account and name, so that data about a user is found again when the user returns
 * (interface-spec 4.4): the same name in the same account is the same user. LiveKit disconnects a participant when another
 * one joins with its identity, so users without a name get different ones.
 */
export function createRoomTokens({ signingKey, clock }: RoomTokenOptions): RoomTokens {
  return {
    async issue({ accountId, avatarId, isGuest, name, room }) {
      const { key, secret } = await signingKey();
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
    },
  };
}

/** Makes a name for a room that cannot be guessed. */
export function makeRoomName(): string {
  return `room-${randomUUID()}`;
}

/** Returns `account:name`. It is unique for each pair, because colons in the account are escaped. */
function roomIdentity(accountId: string, name: string): string {
  return `${accountId.replaceAll('%', '%25').replaceAll(':', '%3A')}:${name}`;
}
