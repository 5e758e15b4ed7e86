import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { base64url, CompactEncrypt, compactDecrypt, type CompactJWEHeaderParameters } from 'jose';
import { AvatarBundleError, decryptAvatarBundle } from '../../../src/backend/index.js';
import { KEY } from './fake-service.js';

const SALT = new Uint8Array(16).fill(9);
const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+2', salt: base64url.encode(SALT) };
/** Header of the first format, which had no salt. */
const UNSALTED = { alg: 'dir', enc: 'A256GCM', typ: 'svc-avatar-bundle+1' };
const BUNDLE = { version: 1, avatar: { id: 'ava', name: 'Ava' }, face: '<svg/>' };

/** Derives the key of bundles with Node's crypto module, independently of WebCrypto. */
function keyOf(apiKey: string, salt = SALT): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync('sha256', apiKey, salt, 'svc-service avatar bundle v1', 32));
}

/** Makes a payload with jose, as the service does. */
function seal(content: unknown, apiKey = KEY, header: Record<string, unknown> = HEADER): Promise<string> {
  const bytes = content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
  const key = keyOf(apiKey, 'salt' in header ? SALT : new Uint8Array());
  return new CompactEncrypt(bytes).setProtectedHeader(header as CompactJWEHeaderParameters).encrypt(key);
}

/** Makes a payload without jose, for headers and IV lengths that jose refuses. */
async function sealByHand(header: string, ivBytes = 12): Promise<string> {
  const key = await crypto.subtle.importKey('raw', keyOf(KEY), 'AES-GCM', false, ['encrypt']);
  const iv = new Uint8Array(ivBytes).fill(7);
  const protectedHeader = base64url.encode(header);
  const additionalData = new TextEncoder().encode(protectedHeader);
  const content = new TextEncoder().encode(JSON.stringify(BUNDLE));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, content));
  const parts = [iv, sealed.subarray(0, -16), sealed.subarray(-16)].map((part) => base64url.encode(part));
  return [protectedHeader, '', ...parts].join('.');
}

async function failure(payload: string, apiKey = KEY): Promise<AvatarBundleError> {
  const error: unknown = await decryptAvatarBundle(payload, apiKey).then(
    (content) => assert.fail(`it was opened: ${inspect(content)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AvatarBundleError, String(error));
  return error;
}

describe('decryptAvatarBundle', () => {
  it('opens any bundle that jose has sealed, with any key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ version: fc.constant(1), avatar: fc.jsonValue(), 'ünï\u0000': fc.string({ unit: 'binary' }) }),
        fc.string({ minLength: 1 }),
        async (bundle, apiKey) => {
          const sent = JSON.parse(JSON.stringify(bundle)) as unknown; // JSON has no -0
          assert.deepEqual(await decryptAvatarBundle(await seal(bundle, apiKey), apiKey), sent);
        },
      ),
    );
  });

  it('agrees with jose about the format: jose opens a payload made without it', async () => {
    const payload = await sealByHand(JSON.stringify(HEADER));
    const { plaintext, protectedHeader } = await compactDecrypt(payload, keyOf(KEY));
    assert.deepEqual(protectedHeader, HEADER);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(plaintext)), BUNDLE);
    assert.deepEqual(await decryptAvatarBundle(payload, KEY), BUNDLE);
  });

  it('opens a bundle of the first format, without a salt', async () => {
    assert.deepEqual(await decryptAvatarBundle(await seal(BUNDLE, KEY, UNSALTED), KEY), BUNDLE);
  });

  it('opens a bundle of some megabytes', async () => {
    const bundle = { ...BUNDLE, picture: 'x'.repeat(3_000_000) };
    assert.deepEqual(await decryptAvatarBundle(await seal(bundle), KEY), bundle);
  });

  it('reports not-opened for another key', async () => {
    assert.equal((await failure(await seal(BUNDLE), `${KEY}x`)).reason, 'not-opened');
  });

  it('opens no payload in which a character was changed, removed or inserted', async () => {
    const payload = await seal(BUNDLE);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(payload.length - 1),
        fc.constantFrom('A', 'B', 'a', '1', '-', '_', '.', '=', '+', ' ', ''),
        fc.boolean(),
        async (at, character, isInserted) => {
          const changed = payload.slice(0, at) + character + payload.slice(isInserted ? at : at + 1);
          if (changed !== payload) await failure(changed);
        },
      ),
    );
  });

  it('refuses a payload whose unused last bits differ, so that a bundle has only one text', async () => {
    const payload = await seal(BUNDLE);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(payload.at(-1)!); // of the tag: 16 bytes, which leave its lower 4 bits unused
    const same = payload.slice(0, -1) + alphabet[last + 1];
    assert.ok((await compactDecrypt(same, keyOf(KEY))).plaintext); // jose accepts it
    assert.equal((await failure(same)).reason, 'unknown-format');
  });

  for (const [what, header] of [
    ['another cipher', { ...HEADER, enc: 'A128CBC-HS256' }],
    ['another key management', { ...HEADER, alg: 'A256KW' }],
    ['another type', { ...HEADER, typ: 'JWT' }],
    ['a later version', { ...HEADER, typ: 'svc-avatar-bundle+3' }],
    ['no type', { alg: 'dir', enc: 'A256GCM', salt: HEADER.salt }],
    ['no salt', { ...UNSALTED, typ: HEADER.typ }],
    ['a salt that is too short', { ...HEADER, salt: 'AAAA' }],
    ['a salt that is no text', { ...HEADER, salt: 16 }],
    ['a salt in the first format', { ...UNSALTED, salt: HEADER.salt }],
    ['compression', { ...HEADER, zip: 'DEF' }],
    ['critical extensions', { ...HEADER, crit: ['exp'], exp: 1 }],
    ['a member not known', { ...HEADER, kid: '1' }],
    ['a member named like one of Object', { ...HEADER, constructor: 'x' }],
    ['null instead of a header', null],
    ['a list instead of a header', []],
    ['no algorithm', { alg: 'none', typ: HEADER.typ }],
  ] as const) {
    it(`refuses ${what}, even in a payload that is sealed correctly`, async () => {
      assert.equal((await failure(await sealByHand(JSON.stringify(header)))).reason, 'unknown-format');
    });
  }

  it('refuses an initialisation vector that is not of 12 bytes', async () => {
    assert.equal((await failure(await sealByHand(JSON.stringify(HEADER), 16))).reason, 'unknown-format');
  });

  for (const [what, spoil] of [
    ['nothing', () => ''],
    ['words', () => 'an opaque blob'],
    ['a signed token', () => 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmVk'],
    ['six parts', (payload: string) => `${payload}.`],
    ['an encrypted key', (payload: string) => payload.replace('..', '.AAAA.')],
    ['a short tag', (payload: string) => payload.slice(0, -2)],
  ] as [string, (payload: string) => string][]) {
    it(`reports unknown-format for ${what}`, async () => {
      assert.equal((await failure(spoil(await seal(BUNDLE)))).reason, 'unknown-format');
    });
  }

  it('refuses sealed content that is not JSON in UTF-8', async () => {
    for (const bytes of [[0xff, 0xfe], [0x7b], []]) {
      assert.equal((await failure(await seal(new Uint8Array(bytes)))).reason, 'unknown-format');
    }
  });

  it('reveals neither key nor payload in an error', async () => {
    const payload = await seal(BUNDLE);
    for (const error of [await failure(payload, `${KEY}x`), await failure(`${payload}.x`)]) {
      const shown = inspect(error, { showHidden: true, depth: 9 });
      assert.ok(!shown.includes(KEY) && !shown.includes(payload.slice(-20)), shown);
    }
  });

  it('throws a TypeError for a payload or key that is no string, and for an empty key', async () => {
    for (const wrong of [undefined, null, 7, { payload: 'x' }] as unknown as string[]) {
      await assert.rejects(decryptAvatarBundle(wrong, KEY), TypeError);
      await assert.rejects(decryptAvatarBundle('x', wrong), TypeError);
    }
    await assert.rejects(decryptAvatarBundle('x', ''), TypeError);
  });
});
