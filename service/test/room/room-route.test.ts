import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { TokenVerifier } from 'livekit-server-sdk';
import { createAvatars } from '../../src/avatar/avatars.js';
import { seedDemoAvatar } from '../../src/avatar/seed-demo-avatar.js';
import { systemClock } from '../../src/clock.js';
import { addRoomRoutes } from '../../src/room/room-route.js';
import type { Database } from '../../src/store/database.js';
import { bareApi, openStore } from '../avatar/api.js';
import { someBundle } from '../avatar/some-bundle.js';

const SIGNING = { key: 'a-livekit-key', secret: 'a livekit secret of more than 32 characters' };

describe('GET /rtc/getToken', () => {
  let database: Database;
  let app: FastifyInstance;
  before(async () => {
    database = await openStore();
    const avatars = createAvatars(database);
    const options = { avatars, clock: systemClock, database, roomKey: async () => SIGNING };
    app = bareApi((routes) => addRoomRoutes(routes, options));
    await seedDemoAvatar(database);
    const add = (id: string, status: 'available' | 'disabled') =>
      avatars.add({ id, owner: 'owner', isPublic: false, status, bundle: someBundle() });
    await add('private', 'available');
    await add('disabled', 'disabled');
  });
  after(async () => {
    await app.close();
    await database.close();
  });

  const get = (query: Record<string, string>, caller = 'owner') =>
    app.inject({ url: '/rtc/getToken', query, headers: { caller } });
  const join = async (query: Record<string, string>) => {
    const answer = await get(query);
    assert.equal(answer.statusCode, 200, answer.body);
    const { token, room_name } = answer.json() as { token: string; room_name: string };
    return { room_name, claims: await new TokenVerifier(SIGNING.key, SIGNING.secret).verify(token) };
  };

  it('spec 2.6: answers {token, room_name}, and nothing else', async () => {
    const answer = await get({ avatar_id: 'demo' });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(Object.keys(answer.json()).toSorted(), ['room_name', 'token']);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('spec 4.4: takes the name and the room it is given', async () => {
    const { room_name, claims } = await join({ avatar_id: 'demo', name: 'Jürgen 😀', room: 'Pier 7' });
    assert.equal(room_name, 'Pier 7');
    assert.equal(claims.video!.room, 'Pier 7');
    assert.equal(claims.sub, 'owner:Jürgen 😀');
    assert.deepEqual(JSON.parse(claims.metadata!), { avatar_id: 'demo', user_id: 'owner' });
  });

  it('spec 4.4: calls the user "my name" by default', async () => {
    const { claims } = await join({ avatar_id: 'demo' });
    assert.equal(claims.name, 'my name');
    assert.match(claims.sub!, /^owner:my name ./);
    const next = await join({ avatar_id: 'demo', room: 'lobby' });
    assert.notEqual(next.claims.sub, claims.sub, 'LiveKit would disconnect the first visitor');
    const named = await join({ avatar_id: 'demo', name: 'my name' });
    assert.equal(named.claims.sub, 'owner:my name');
  });

  it('spec 2.6, 4.4: makes a room when none is given, another one each time', async () => {
    const [one, other] = [await join({ avatar_id: 'demo' }), await join({ avatar_id: 'demo' })];
    assert.equal(one.claims.video!.room, one.room_name);
    assert.notEqual(one.room_name, other.room_name);
  });

  it('spec 4.4: takes up to 128 characters, however many bytes they have', async () => {
    const { room_name } = await join({ avatar_id: 'demo', name: '😀'.repeat(128), room: 'x'.repeat(128) });
    assert.equal(room_name.length, 128);
  });

  it('spec 4.4: leaves a room to the account that named it first, until a day after its last token', async () => {
    const room = { avatar_id: 'demo', room: 'Harbour' };
    await join(room);
    const refused = await get(room, 'stranger');
    assert.equal(refused.statusCode, 403);
    assert.match(refused.json().detail, /another account/);
    await join({ ...room, name: 'a second user' });

    await database.query(`update room set used_at = used_at - interval '25 hours' where name = 'Harbour'`);
    assert.equal((await get(room, 'stranger')).statusCode, 200);
    assert.equal((await get(room)).statusCode, 403);
  });

  it('spec 4.4: leaves a room that it made itself to the account as well', async () => {
    const { room_name } = await join({ avatar_id: 'demo' });
    assert.equal((await get({ avatar_id: 'demo', room: room_name }, 'stranger')).statusCode, 403);
  });

  for (const [name, query, parameter] of [
    ['avatar_id is missing', {}, 'avatar_id'],
    ['avatar_id is empty', { avatar_id: '' }, 'avatar_id'],
    ['name is empty', { avatar_id: 'demo', name: '' }, 'name'],
    ['name is nothing but spaces', { avatar_id: 'demo', name: '  ' }, 'name'],
    ['name is too long', { avatar_id: 'demo', name: 'x'.repeat(129) }, 'name'],
    ['name has a line break', { avatar_id: 'demo', name: 'a\nb' }, 'name'],
    ['room is empty', { avatar_id: 'demo', room: '' }, 'room'],
    ['room is too long', { avatar_id: 'demo', room: 'x'.repeat(129) }, 'room'],
    ['room has a NUL', { avatar_id: 'demo', room: 'a\0b' }, 'room'],
  ] as [string, Record<string, string>, string][]) {
    it(`spec 4.4: is 422 and names the parameter if ${name}`, async () => {
      const answer = await get(query);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.json().detail, new RegExp(`\\b${parameter}\\b`));
    });
  }

  it('spec 4.4: says in words what is wrong with a name', async () => {
    const { detail } = (await get({ avatar_id: 'demo', name: 'a\nb' })).json() as { detail: string };
    assert.equal(detail, 'name must hold more than spaces, and no control characters');
  });

  it('spec 4.4: is 422 if a parameter is given twice', async () => {
    const answer = await app.inject({
      url: '/rtc/getToken?avatar_id=demo&name=a&name=b',
      headers: { caller: 'owner' },
    });
    assert.equal(answer.statusCode, 422);
    assert.match(answer.json().detail, /name/);
  });

  it('spec 7.2: is 403 if the status of the avatar is not available, for its owner, too', async () => {
    const answer = await get({ avatar_id: 'disabled' });
    assert.equal(answer.statusCode, 403);
    assert.match(answer.json().detail, /not available/);
  });

  it('spec 7.2: is 404 if there is no such avatar, or a private one of somebody else', async () => {
    for (const avatar_id of ['nothing', 'private', 'disabled', '\0']) {
      const answer = await get({ avatar_id }, 'stranger');
      assert.equal(answer.statusCode, 404);
      assert.deepEqual(answer.json(), { detail: 'There is no such avatar.' });
    }
  });
});
