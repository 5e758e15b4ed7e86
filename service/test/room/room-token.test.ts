import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenVerifier } from 'livekit-server-sdk';
import { systemClock } from '../../src/clock.js';
import { issueRoomToken, makeRoomName, ROOM_TOKEN_SECONDS, type RoomEntry } from '../../src/room/room-token.js';

const KEY = 'a-livekit-key';
const SECRET = 'a livekit secret of more than 32 characters';
const ENTRY = { accountId: 'owner', avatarId: 'demo', name: 'Jo', isGuest: false, room: 'harbour' };

/** Issues a token with a clock that is `secondsAgo` behind. */
const issue = (entry: Partial<RoomEntry> = {}, secondsAgo = 0) =>
  issueRoomToken(
    { key: KEY, secret: SECRET },
    { ...ENTRY, ...entry },
    { ...systemClock, now: () => Date.now() - secondsAgo * 1000 },
  );

/** Verifies a token as a LiveKit server with this key does. */
const verify = (token: string, { key = KEY, secret = SECRET } = {}) => new TokenVerifier(key, secret).verify(token, 0);

describe('A room token', () => {
  it('spec 2.6: is one that LiveKit accepts, to join this room and no other', async () => {
    const { video } = await verify(await issue());
    assert.deepEqual(video, {
      room: 'harbour',
      roomJoin: true,
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
    });
  });

  it('spec 4.4: has an identity made of account and name, so that memory can follow the user', async () => {
    const first = await verify(await issue());
    assert.equal(first.sub, 'owner:Jo');
    assert.equal(first.name, 'Jo');
    assert.deepEqual(JSON.parse(first.metadata!), { avatar_id: 'demo', user_id: 'owner' });
    const later = await verify(await issue({ room: 'another' }));
    assert.equal(later.sub, first.sub);
  });

  it('spec 4.4: has another identity for every other pair of account and name', async () => {
    const one = await verify(await issue({ accountId: 'a', name: 'b:c' }));
    const other = await verify(await issue({ accountId: 'a:b', name: 'c' }));
    assert.notEqual(one.sub, other.sub);
  });

  it('spec 1: is temporary: 15 minutes', async () => {
    const { exp, nbf } = (await verify(await issue())) as { exp?: number; nbf?: number };
    assert.equal(exp! - nbf!, 15 * 60);
    await verify(await issue({}, ROOM_TOKEN_SECONDS - 60));
    await assert.rejects(verify(await issue({}, ROOM_TOKEN_SECONDS + 1)), { code: 'ERR_JWT_EXPIRED' });
  });

  it('is not accepted before it was issued', async () => {
    await assert.rejects(verify(await issue({}, -60)), /nbf/);
  });

  it('is not accepted by a LiveKit server with another key or secret', async () => {
    await assert.rejects(verify(await issue(), { secret: `${SECRET}!` }), /signature/);
    await assert.rejects(verify(await issue(), { key: 'another' }), /iss/);
  });

  it('is not accepted after it was changed', async () => {
    const [header, payload, signature] = (await issue()).split('.');
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, video: { roomAdmin: true } })).toString('base64url');
    await assert.rejects(verify(`${header}.${forged}.${signature}`), /signature/);
  });

  it('is different each time', async () => {
    assert.notEqual(await issue(), await issue());
    assert.notEqual(makeRoomName(), makeRoomName());
  });
});
