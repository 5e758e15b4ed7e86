import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { compactDecrypt, decodeProtectedHeader } from 'jose';
import { createAvatars, type Avatars } from '../../src/avatar/avatars.js';
import { addAvatarRoutes } from '../../src/avatar/bundle-route.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import { seedDemoAvatar } from '../../src/avatar/seed-demo-avatar.js';
import type { Database } from '../../src/store/database.js';
import { bareApi, openStore } from './api.js';
import { someBundle } from './some-bundle.js';

describe('GET /avatars/bundle/:avatar_id', () => {
  let database: Database;
  let avatars: Avatars;
  let app: FastifyInstance;
  before(async () => {
    database = await openStore();
    avatars = createAvatars(database);
    app = bareApi((routes) => addAvatarRoutes(routes, { avatars }));
    await seedDemoAvatar(database);
    for (const [id, isPublic, status] of [
      ['private', false, 'available'],
      ['private-disabled', false, 'disabled'],
      ['public-processing', true, 'processing'],
    ] as const) {
      await avatars.add({ id, owner: 'owner', isPublic, status, bundle: someBundle() });
    }
  });
  after(async () => {
    await app.close();
    await database.close();
  });

  const get = (id: string, caller = 'owner') => app.inject({ url: `/avatars/bundle/${id}`, headers: { caller } });
  const payloadOf = async (id: string, caller = 'owner') => (await get(id, caller)).json().payload as string;

  it('spec 2.5: answers {payload}, and nothing else', async () => {
    const answer = await get('demo');
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(Object.keys(answer.json()), ['payload']);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  /** Decrypts a payload as the JWE specification describes, with a key derived from this API key. */
  const open = (payload: string, apiKey: string) => {
    const { salt } = decodeProtectedHeader(payload) as { salt: string };
    const key = hkdfSync('sha256', apiKey, Buffer.from(salt, 'base64url'), 'svc-service avatar bundle v1', 32);
    return compactDecrypt(payload, new Uint8Array(key));
  };

  it('spec 2.5: encrypts the bundle with a key of the API key of the call', async () => {
    const { plaintext, protectedHeader } = await open(await payloadOf('demo', 'stranger'), 'stranger-key');
    const { salt, ...header } = protectedHeader;
    assert.deepEqual(header, { alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+2' });
    assert.match(String(salt), /^[\w-]{22}$/);
    const other = decodeProtectedHeader(await payloadOf('demo', 'stranger'));
    assert.notEqual((other as { salt: string }).salt, salt, 'each payload has a salt of its own');
    assert.deepEqual(JSON.parse(new TextDecoder().decode(plaintext)), demoAvatar);
  });

  it('spec 2.5: cannot be opened with another key, nor after a change', async () => {
    const payload = await payloadOf('demo');
    await assert.rejects(open(payload, 'stranger-key'), { code: 'ERR_JWE_DECRYPTION_FAILED' });
    const at = payload.length - 100; // within the ciphertext or the tag
    const changed = payload.slice(0, at) + (payload[at] === 'A' ? 'B' : 'A') + payload.slice(at + 1);
    await assert.rejects(open(changed, 'owner-key'), { code: 'ERR_JWE_DECRYPTION_FAILED' });
    assert.notEqual(payload, await payloadOf('demo'), 'no two payloads are the same');
  });

  it('spec 4.3: gives owners their own', async () => {
    assert.equal((await get('private', 'owner')).statusCode, 200);
  });

  it('spec 4.3: gives public ones to anyone with a key', async () => {
    assert.equal((await get('demo', 'stranger')).statusCode, 200);
  });

  it('spec 4.3: hides that another user’s private avatar exists', async () => {
    const none = await get('nothing', 'stranger');
    assert.equal(none.statusCode, 404);
    for (const id of ['private', 'private-disabled']) {
      const answer = await get(id, 'stranger');
      assert.equal(answer.statusCode, 404);
      assert.equal(answer.body, none.body);
      assert.deepEqual(Object.keys(answer.headers), Object.keys(none.headers));
    }
  });

  it('spec 3, 7.2: is 403 if the status is not available, for its owner, too', async () => {
    for (const [id, caller] of [
      ['private-disabled', 'owner'],
      ['public-processing', 'owner'],
      ['public-processing', 'stranger'],
    ] as const) {
      const answer = await get(id, caller);
      assert.equal(answer.statusCode, 403);
      assert.match(answer.json().detail, /not available/);
    }
  });

  it('spec 3: is 200 again when the status is available again', async () => {
    await avatars.setStatus('demo', 'disabled');
    assert.equal((await get('demo')).statusCode, 403);
    await avatars.setStatus('demo', 'available');
    assert.equal((await get('demo')).statusCode, 200);
  });

  it('spec 7.2: is 404 with {detail} for what cannot be an avatar', async () => {
    for (const id of ['%00', '%2e%2e%2f', "'%20or%20true", 'ä', 'x'.repeat(90)]) {
      const answer = await get(encodeURI(decodeURI(id)).replaceAll('%25', '%'));
      assert.equal(answer.statusCode, 404, id);
      assert.deepEqual(answer.json(), { detail: 'There is no such avatar.' });
    }
  });
});
