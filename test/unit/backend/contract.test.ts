import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { createSpeechBackend, decryptAvatarBundle, SvcClient, type SpeechBackend } from '../../../src/backend/index.js';
import { FRAME_HEADER_BYTES, PROTOCOL } from '../../../src/protocol/index.js';
import { failure } from './fake-service.js';
import { detailOf, get, post } from './host-page.js';

const BUILT_SERVICE = new URL('../../../service/dist/index.js', import.meta.url).href;
const { SVC_CONTRACT_URL, SVC_CONTRACT_KEY, SVC_CONTRACT_AVATAR = 'demo' } = process.env;

/** Service to test against, and the function that ends it. */
interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly end: () => Promise<void>;
}

/**
 * Returns the service that `SVC_CONTRACT_URL` and `SVC_CONTRACT_KEY` name, with an avatar in `SVC_CONTRACT_AVATAR`.
 * Without these variables, it starts the embedded service as `npm test` has built it.
 */
async function startTarget(): Promise<Target> {
  if (SVC_CONTRACT_URL && SVC_CONTRACT_KEY) {
    return { baseUrl: SVC_CONTRACT_URL, apiKey: SVC_CONTRACT_KEY, end: () => Promise.resolve() };
  }
  const { createService } = (await import(BUILT_SERVICE)) as {
    createService(options: object): Promise<{ url: string; close(): Promise<void> }>;
  };
  const apiKey = 'svc_a-key-for-the-contract/0123456789';
  const { url, close } = await createService({ apiKey, port: 0 });
  return { baseUrl: url, apiKey, end: close };
}

/** Returns the claims of a JWT without verifying its signature, which is the task of the room server. */
function claimsOf(token: string): Record<string, unknown> {
  const [, claims = '', ...rest] = token.split('.');
  assert.equal(rest.length, 1);
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}

describe('the backend kit and the service', () => {
  let target: Target;
  let client: SvcClient;
  let backend: SpeechBackend;
  const errors: unknown[] = [];

  before(async () => {
    target = await startTarget();
    client = new SvcClient(target);
    backend = createSpeechBackend({ ...target, production: false, onError: (error) => void errors.push(error) });
  });
  after(() => target?.end());

  it('agree about a session (4.1): the URL has the requested parameters', async () => {
    const session = await client.createSession({ sample_rate: 16000 });
    assert.equal(session.protocol, PROTOCOL);
    assert.equal(session.sample_rate, 16000);
    assert.deepEqual(session.messages, []);
    const { protocol, searchParams } = new URL(session.url);
    assert.match(protocol, /^wss?:$/);
    assert.equal(searchParams.get('sample_rate'), '16000');
    assert.equal(searchParams.get('voice_id'), session.voice_id);
    assert.ok((client.rateLimitRemaining ?? 0) > 0); // section 8: every answer has it
  });

  it('agree about a whole utterance (4.1, 4.2): its ready-made messages are spoken', async () => {
    const { url, messages } = await client.createSession({ input: 'Hello.' });
    const socket = new WebSocket(url);
    socket.on('open', () => {
      for (const message of messages) socket.send(JSON.stringify(message));
    });
    let samples = 0;
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer, isBinary) => {
        if (!isBinary) {
          const message = JSON.parse(data.toString()) as { type: string };
          return message.type === 'context_done' ? resolve() : reject(new Error(data.toString()));
        }
        assert.equal(data[0], 1);
        samples += (data.byteLength - FRAME_HEADER_BYTES) / 2;
      });
      socket.on('error', reject);
      socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    });
    socket.removeAllListeners('close').close(1000);
    assert.ok(samples > 24000 / 10); // a word takes more than a tenth of a second
  });

  it('agree about a parameter that is not known (7.1): 422 names it', async () => {
    const error = await failure(client.createSession({ sampling: { top_k: 1 } }));
    assert.equal(error.code, 'invalid-request');
    assert.match(error.detail, /top_k/);
    const response = await backend.fetch(post({ sampling: { top_k: 1 } }));
    assert.equal(response.status, 422);
    assert.match(await detailOf(response), /top_k/);
  });

  it('agree about a bundle (4.3): only the key that requested it opens it', async () => {
    const { payload } = await client.getAvatarBundle(SVC_CONTRACT_AVATAR);
    if (SVC_CONTRACT_URL) return; // another service may encrypt differently
    const bundle = (await decryptAvatarBundle(payload, target.apiKey)) as { version: number; avatar: { id: string } };
    assert.deepEqual([bundle.version, bundle.avatar.id], [1, SVC_CONTRACT_AVATAR]);
    await assert.rejects(decryptAvatarBundle(payload, `${target.apiKey}x`), { reason: 'not-opened' });
  });

  it('agree about a room (4.4): the requested one, or a new one', async () => {
    const asked = await client.getRoomToken({ avatarId: SVC_CONTRACT_AVATAR, name: 'Zoë & Co', room: 'a room' });
    assert.equal(asked.room_name, 'a room');
    assert.equal(claimsOf(asked.token).name, 'Zoë & Co');
    const madeUp = await client.getRoomToken({ avatarId: SVC_CONTRACT_AVATAR });
    const again = await client.getRoomToken({ avatarId: SVC_CONTRACT_AVATAR });
    assert.notEqual(madeUp.room_name, again.room_name);
    assert.equal(claimsOf(madeUp.token).name, 'my name');
    // LiveKit disconnects a participant when another one joins with its identity.
    assert.notEqual(claimsOf(madeUp.token).sub, claimsOf(again.token).sub);
    const returned = await client.getRoomToken({ avatarId: SVC_CONTRACT_AVATAR, name: 'Zoë & Co' });
    assert.equal(claimsOf(returned.token).sub, claimsOf(asked.token).sub);
  });

  for (const id of ['no-such-avatar', 'a/b', 'x\u0000y', '%2e%2e', '" or 1=1 --', 'ü'.repeat(64)]) {
    it(`agree that there is no avatar ${JSON.stringify(id.slice(0, 20))} (7.2)`, async () => {
      for (const call of [() => client.getAvatarBundle(id), () => client.getRoomToken({ avatarId: id })]) {
        const error = await failure(call());
        assert.ok(error.code === 'not-found' || error.code === 'invalid-request', error.message);
        assert.notEqual(error.detail, '');
      }
      const response = await backend.fetch(get(`avatars/${encodeURIComponent(id)}/bundle`));
      assert.ok(response.status === 404 || response.status === 422, String(response.status));
    });
  }

  it('agree about the routes of the page: all three return what the client returns', async () => {
    const session = (await (await backend.fetch(post({ input: 'Hello.' }))).json()) as { messages: unknown[] };
    assert.equal(session.messages.length, 2);
    const bundle = (await (await backend.fetch(get(`avatars/${SVC_CONTRACT_AVATAR}/bundle`))).json()) as object;
    assert.deepEqual(Object.keys(bundle), ['payload']);
    const query = `avatar_id=${SVC_CONTRACT_AVATAR}&name=Zoe&room=r`;
    const room = (await (await backend.fetch(get(`rooms/token?${query}`))).json()) as object;
    assert.deepEqual(Object.keys(room).toSorted(), ['room_name', 'token']);
  });

  it('agree that another key is refused (5, 7.1, 7.2), which is not the fault of the page', async () => {
    const wrong = { ...target, apiKey: `${target.apiKey}x`, production: false };
    const stranger = new SvcClient(wrong);
    for (const call of [
      () => stranger.createSession(),
      () => stranger.getAvatarBundle(SVC_CONTRACT_AVATAR),
      () => stranger.getRoomToken({ avatarId: SVC_CONTRACT_AVATAR }),
    ]) {
      assert.equal((await failure(call())).code, 'unauthorized');
    }
    const told: unknown[] = [];
    const page = createSpeechBackend({ ...wrong, onError: (error) => void told.push(error) });
    for (const request of [post(), get(`avatars/${SVC_CONTRACT_AVATAR}/bundle`)]) {
      assert.equal((await page.fetch(request)).status, 502);
    }
    assert.equal(told.length, 2);
  });

  it('report no other error to the operator', () => {
    assert.deepEqual(errors, []);
  });
});
