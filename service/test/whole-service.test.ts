import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TokenVerifier } from 'livekit-server-sdk';
import type { Database } from '../src/index.js';
import { createAccounts, createAvatars, openDatabase } from './support/built.js';
import { Conversation } from './support/conversation.js';
import { eventually } from './support/eventually.js';
import { host, KEY, type Host } from './support/host.js';
import type { StubEngine } from './support/stub-engine.js';

const LIVEKIT = { key: 'livekit-key', secret: 'a-secret-of-more-than-32-characters' };
const SESSION = '/api/v1/realtime/stream/session';

let database: Database;
let service: Host<StubEngine>;
/** API key of another user. */
let foreignKey: string;

before(async () => {
  database = await openDatabase();
  service = await host({ database, livekit: LIVEKIT });
  foreignKey = (await createAccounts(database).createKey({ user: 'sue' })).key;
});
after(async () => {
  await service.close();
  await database.close();
});

function get(path: string, key: string | null = KEY): Promise<Response> {
  return fetch(service.service.url + path, key === null ? {} : { headers: { 'X-SVC-Api-Key': key } });
}

/** Asserts that a response is a refusal as described in interface-spec 7.2. */
async function assertRefused(response: Response, status: number): Promise<void> {
  assert.equal(response.status, status);
  const body = (await response.json()) as { detail: unknown };
  assert.deepEqual([typeof body.detail, body.detail !== ''], ['string', true]);
}

/** Adds an avatar to the store and returns its id. */
async function addAvatar(owner: string, isPublic: boolean, status: 'available' | 'disabled'): Promise<string> {
  const demo = await database.query<{ bundle: string }>(`select bundle from avatar where id = 'demo'`);
  const bundle = JSON.parse(demo[0]!.bundle) as { avatar: object };
  const id = `avatar-${owner}-${isPublic}-${status}`;
  await createAvatars(database).add({
    id,
    owner,
    isPublic,
    status,
    bundle: { ...bundle, avatar: { ...bundle.avatar, id } },
  });
  return id;
}

describe('spec 2.5, 4.3: avatar bundle', () => {
  it('is an encrypted payload, and nothing else', async () => {
    const response = await get('/api/v1/avatars/bundle/demo');
    assert.equal(response.status, 200);
    const body = (await response.json()) as { payload: string };
    assert.deepEqual(Object.keys(body), ['payload']);
    assert.equal(body.payload.split('.').length, 5);
    assert.ok(!Buffer.from(body.payload.split('.')[3]!, 'base64url').includes('<svg'));
  });

  it('is another one for every key', async () => {
    const payloads = await Promise.all(
      [KEY, foreignKey].map(async (key) => (await get('/api/v1/avatars/bundle/demo', key)).json()),
    );
    assert.notDeepEqual(payloads[0], payloads[1]);
  });

  it('can be had by the owner of an avatar, public or not', async () => {
    const id = await addAvatar('sue', false, 'available');
    assert.equal((await get(`/api/v1/avatars/bundle/${id}`, foreignKey)).status, 200);
    await assertRefused(await get(`/api/v1/avatars/bundle/${id}`), 404);
  });

  it('can be had by anyone with a valid key, if the avatar is public', async () => {
    const id = await addAvatar('sue', true, 'available');
    assert.equal((await get(`/api/v1/avatars/bundle/${id}`)).status, 200);
  });
});

describe('spec 3: avatar status', () => {
  it('must be available for a bundle, even for the owner', async () => {
    const id = await addAvatar('owner', true, 'disabled');
    await assertRefused(await get(`/api/v1/avatars/bundle/${id}`), 403);
    await createAvatars(database).setStatus(id, 'available');
    assert.equal((await get(`/api/v1/avatars/bundle/${id}`)).status, 200);
  });
});

describe('spec 2.6, 4.4: room token', () => {
  const verifier = new TokenVerifier(LIVEKIT.key, LIVEKIT.secret);

  it('lets a user join the room that was asked for', async () => {
    const response = await get('/api/v1/rtc/getToken?avatar_id=demo&name=Ann&room=tea');
    assert.equal(response.status, 200);
    const body = (await response.json()) as { token: string; room_name: string };
    assert.deepEqual(Object.keys(body).sort(), ['room_name', 'token']);
    assert.equal(body.room_name, 'tea');
    const claims = await verifier.verify(body.token);
    assert.deepEqual([claims.video?.room, claims.video?.roomJoin], ['tea', true]);
    assert.equal(claims.sub, 'owner:Ann');
  });

  it('makes a room, and takes "my name", where nothing is given', async () => {
    const rooms = await Promise.all(
      [1, 2].map(
        async () => (await get('/api/v1/rtc/getToken?avatar_id=demo')).json() as Promise<Record<string, string>>,
      ),
    );
    assert.notEqual(rooms[0]!.room_name, rooms[1]!.room_name);
    const claims = await verifier.verify(rooms[0]!.token!);
    assert.equal(claims.name, 'my name');
    assert.match(claims.sub!, /^owner:my name ./);
  });

  it('is the same user for the same name, and another one for another account', async () => {
    const [mine, again, foreign] = await Promise.all(
      [KEY, KEY, foreignKey].map(async (key) => {
        const response = await get('/api/v1/rtc/getToken?avatar_id=demo&name=Ann', key);
        return (await verifier.verify(((await response.json()) as { token: string }).token)).sub;
      }),
    );
    assert.equal(mine, again);
    assert.notEqual(mine, foreign);
  });

  it('names the parameter that is missing', async () => {
    const response = await get('/api/v1/rtc/getToken');
    assert.equal(response.status, 422);
    assert.match(((await response.json()) as { detail: string }).detail, /avatar_id/);
  });
});

describe('spec 7.2: errors of the bundle and room-token routes', () => {
  for (const path of ['/api/v1/avatars/bundle/', '/api/v1/rtc/getToken?avatar_id=']) {
    it(`are 401, 403 and 404 with a detail at ${path}`, async () => {
      await assertRefused(await get(`${path}demo`, null), 401);
      await assertRefused(await get(`${path}demo`, 'wrong'), 401);
      await assertRefused(await get(`${path}nobody`), 404);
      await createAvatars(database).setStatus('demo', 'disabled');
      await assertRefused(await get(`${path}demo`), 403);
      await createAvatars(database).setStatus('demo', 'available');
    });
  }
});

describe('Avatar ids that nobody has', () => {
  it('are not found, however long', async () => {
    await assertRefused(await get(`/api/v1/avatars/bundle/${'a'.repeat(10_000)}`), 404);
  });
});

describe('spec 8: request rate on all routes', () => {
  it('reports the remaining requests on every route, with a right key or not, and refuses all with 429', async () => {
    const small = await host({ database, limits: { requestsPerMinute: 5 } });
    await database.query('delete from rate_window');
    try {
      const url = small.service.url;
      const headers = { 'X-SVC-Api-Key': KEY };
      const ask = [
        () => fetch(url + SESSION, { method: 'POST', headers }),
        () => fetch(`${url}/api/v1/avatars/bundle/demo`, { headers }),
        () => fetch(`${url}/api/v1/rtc/getToken?avatar_id=demo`, { headers }),
        () => fetch(`${url}/api/v1/nothing`, { headers }),
        () => fetch(url + SESSION, { method: 'POST' }),
      ];
      const seen = [];
      for (const each of ask) {
        const response = await each();
        seen.push([response.status, response.headers.get('x-ratelimit-remaining')]);
      }
      assert.deepEqual(seen, [
        [200, '4'],
        [200, '3'],
        [200, '2'],
        [404, '1'],
        [401, '0'],
      ]);
      for (const each of ask) {
        const response = await each();
        assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
        assert.ok(Number(response.headers.get('retry-after')) > 0);
        await assertRefused(response, 429);
      }
    } finally {
      await small.close();
      await database.query('delete from rate_window');
    }
  });
});

describe('spec 9: versioning', () => {
  it('has the routes below /api/v1, and there only', async () => {
    for (const path of ['/realtime/stream/session', '/avatars/bundle/demo', '/rtc/getToken?avatar_id=demo']) {
      assert.equal((await get(path)).status, 404);
    }
  });

  it('names the protocol of the socket, and begins every frame with a version', async () => {
    const { url, protocol, messages } = await service.session({ input: 'Hello' });
    assert.equal(protocol, 'svctts.v1');
    const conversation = await new Conversation(url).opened();
    conversation.send(...messages);
    await conversation.message('context_done');
    assert.deepEqual([...new Set(conversation.frames().map(({ header }) => header.version))], [1]);
    conversation.socket.terminate();
  });
});

describe('A service with several nodes', () => {
  it('takes the session URLs of each other, each once', async () => {
    const other = await host({ database, livekit: LIVEKIT });
    try {
      const url = new URL((await service.session()).url);
      url.port = String(other.service.port);
      const admitted = await new Conversation(url.href).opened();
      admitted.say('Hello');
      await admitted.message('context_done');
      url.port = String(service.service.port);
      assert.equal((await (await new Conversation(url.href).opened()).closed()).code, 4401);
      admitted.socket.terminate();
    } finally {
      await other.close();
    }
  });
});

describe('Operations', () => {
  it('reports whether it is ready, and its metrics', async () => {
    // On a busy machine, the database may answer too late at first.
    await eventually('it is ready', async () => (await get('/readyz', null)).status === 200);
    const metrics = await (await get('/metrics', null)).text();
    for (const name of ['svc_sockets_opened_total', 'svc_first_frame_seconds_bucket', 'svc_credits_metered_total']) {
      assert.match(metrics, new RegExp(`^${name}`, 'm'));
    }
    assert.match(metrics, /^svc_contexts_total\{outcome="done"\} [1-9]/m);
  });

  it('describes every route below /api/v1 in an OpenAPI document', async () => {
    const document = (await (await get('/openapi.json', null)).json()) as { paths: Record<string, unknown> };
    assert.deepEqual(Object.keys(document.paths).sort(), [
      '/api/v1/avatars/bundle/{avatar_id}',
      SESSION,
      '/api/v1/rtc/getToken',
    ]);
  });
});
