import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpeechBackendOptions } from '../../../src/backend/index.js';
import { works } from './fake-service.js';
import { detailOf, get, startBackend } from './host-page.js';

describe('createSpeechBackend: which avatar', () => {
  it('requests the avatar in the path, whatever characters its id has', async (t) => {
    const { backend, calls } = await startBackend(t, works);
    for (const id of ['ava-1', 'a b', 'a/b', 'ü?#&', 'a\r\nX-Injected: 1', '%2e%2e', 'session', 'x..y']) {
      assert.equal((await backend.fetch(get(`avatars/${encodeURIComponent(id)}/bundle`))).status, 200);
      assert.equal(calls.at(-1)?.path, `/api/v1/avatars/bundle/${encodeURIComponent(id)}`);
      assert.equal(calls.at(-1)?.headers['x-injected'], undefined);
    }
  });

  for (const path of ['avatars/..%2frtc/bundle', 'avatars/..%5c..%5cx/bundle', 'avatars/a%2f..%2f..%2fb/bundle']) {
    it(`answers 404 to ${path}, which leads elsewhere, without a call`, async (t) => {
      const { backend, calls, errors } = await startBackend(t, works);
      const response = await backend.fetch(get(path));
      assert.equal(response.status, 404);
      assert.notEqual(await detailOf(response), '');
      assert.deepEqual([calls.length, errors.length], [0, 0]);
    });
  }

  for (const path of [
    'avatars/../bundle',
    'avatars/%2e%2e/bundle',
    'avatars//bundle',
    'avatars/%/bundle',
    'avatars/%ff/bundle',
    'avatars/a/b/bundle',
    'bundle',
  ]) {
    it(`answers 404 to ${path}, which is no route`, async (t) => {
      const { backend, calls } = await startBackend(t, works);
      assert.equal((await backend.fetch(get(path))).status, 404);
      assert.equal(calls.length, 0);
    });
  }

  it('calls allowAvatar with the id and the request', async (t) => {
    const seen: unknown[] = [];
    const allowAvatar = (id: string, request: Request): Promise<boolean> => {
      seen.push([id, request.headers.get('Cookie')]);
      return Promise.resolve(id === 'ava');
    };
    const { backend, calls } = await startBackend(t, works, { allowAvatar });
    assert.equal((await backend.fetch(get('avatars/ava/bundle', { headers: { Cookie: 'user=1' } }))).status, 200);
    assert.equal((await backend.fetch(get('avatars/%62ob/bundle'))).status, 403);
    assert.deepEqual(seen, [
      ['ava', 'user=1'],
      ['bob', null],
    ]);
    assert.equal(calls.length, 1);
  });
});

describe('createSpeechBackend: which room', () => {
  /** Requests a room token. Returns the response, the reported errors, and the query that the service received. */
  async function ask(
    t: Parameters<typeof startBackend>[0],
    query: string,
    options: Partial<SpeechBackendOptions> = {},
  ) {
    const { backend, calls, errors } = await startBackend(t, works, options);
    const response = await backend.fetch(get(`rooms/token?${query}`, { headers: { Cookie: 'user=1' } }));
    const { path } = calls[0] ?? { path: '/' };
    return { response, errors, asked: Object.fromEntries(new URL(path, 'http://service').searchParams) };
  }

  it('forwards avatar, name and room of the query', async (t) => {
    const { asked } = await ask(t, 'avatar_id=ava&name=Zo%C3%AB&room=a%26b&other=1');
    assert.deepEqual(asked, { avatar_id: 'ava', name: 'Zoë', room: 'a&b' });
  });

  it('omits name and room when they are empty or missing', async (t) => {
    for (const query of ['avatar_id=ava', 'avatar_id=ava&name=&room=']) {
      assert.deepEqual((await ask(t, query)).asked, { avatar_id: 'ava' });
    }
  });

  for (const [query, field] of [
    ['', 'avatar_id'],
    ['avatar_id=', 'avatar_id'],
    ['avatar_id=..', 'avatar_id'],
    ['avatarId=ava', 'avatar_id'],
    ['avatar_id=ava&avatar_id=bob', 'avatar_id'],
    ['avatar_id=ava&name=a&name=b', 'name'],
    ['avatar_id=ava&room=a&room=b', 'room'],
  ] as const) {
    it(`answers 422 and names ${field} for the query "${query}"`, async (t) => {
      const { response, asked } = await ask(t, query, { room: () => assert.fail('the hook was asked') });
      assert.equal(response.status, 422);
      assert.match(await detailOf(response), new RegExp(`^${field} must`));
      assert.deepEqual(asked, {});
    });
  }

  it('calls the hook with the request, and requests the room that the hook returns', async (t) => {
    const { asked } = await ask(t, 'avatar_id=ava&name=somebody+else', {
      room: (wanted, request) =>
        Promise.resolve({ avatarId: wanted.avatarId, name: request.headers.get('Cookie') ?? '', room: undefined }),
    });
    assert.deepEqual(asked, { avatar_id: 'ava', name: 'user=1' });
  });

  it('passes only the fields of the query to the hook', async (t) => {
    const seen: unknown[] = [];
    const room: NonNullable<SpeechBackendOptions['room']> = (wanted) => {
      seen.push(wanted);
      return wanted;
    };
    await ask(t, 'avatar_id=ava', { room });
    await ask(t, 'avatar_id=ava&name=Zoe&room=r', { room });
    assert.deepEqual(seen, [{ avatarId: 'ava' }, { avatarId: 'ava', name: 'Zoe', room: 'r' }]);
  });

  it('answers 403 when the hook returns null, without a call', async (t) => {
    const { response, asked } = await ask(t, 'avatar_id=ava', { room: () => null });
    assert.equal(response.status, 403);
    assert.deepEqual(asked, {});
  });

  it('answers 500 when the hook throws or names no avatar, and reports it to onError', async (t) => {
    for (const room of [() => Promise.reject(new Error('hunter2')), () => ({ avatarId: '' })]) {
      const { response, errors } = await ask(t, 'avatar_id=ava', { room });
      assert.equal(response.status, 500);
      assert.equal(await detailOf(response), 'the server failed');
      assert.equal(errors.length, 1);
    }
  });
});
