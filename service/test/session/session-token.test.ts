import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { systemClock } from '../../src/clock.js';
import { createSessionTokens, type SessionTokens } from '../../src/session/session-token.js';
import type { Database } from '../../src/store/database.js';
import { openRotatingSecret, type RotatingSecret } from '../../src/store/rotating-secret.js';
import { rotateSecrets } from '../../src/store/secret-versions.js';
import { openDatabase } from '../support/open-database.js';

const CLAIMS = {
  accountId: 'ada',
  keyId: 'key_1',
  session: {
    voice_id: 'slt',
    format: 'pcm_s16le',
    sample_rate: 24000,
    normalize_text: true,
    chunk_seconds: 15,
    sampling: {},
    context_id: 'turn-1',
  },
} as const;

describe('A session token', () => {
  let database: Database;
  let secret: RotatingSecret;
  let tokens: SessionTokens;
  before(async () => {
    database = await openDatabase();
  });
  // A node that has not looked up any kid, so that no test waits for the second between two lookups.
  beforeEach(async () => {
    secret = await openRotatingSecret(database, 'session-token', systemClock);
    tokens = createSessionTokens(30, systemClock, database, secret);
  });
  after(() => database.close());

  /** Signs a token as a node does, but with this header and this value of a secret. */
  const signed = (header: { kid?: string }, value: string): Promise<string> =>
    new SignJWT({ session: CLAIMS.session, keyId: CLAIMS.keyId })
      .setProtectedHeader({ alg: 'HS256', ...header })
      .setAudience('svctts.v1')
      .setSubject(CLAIMS.accountId)
      .setJti(crypto.randomUUID())
      .setExpirationTime('30s')
      .sign(new TextEncoder().encode(value));

  it('names the version of the secret that signed it', async () => {
    const { token } = await tokens.issue(CLAIMS);
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', kid: (await secret.newest()).kid });
    assert.equal((await tokens.accept(token))?.accountId, 'ada');
  });

  it('is accepted after a rotation, of either version', async () => {
    const { token: old } = await tokens.issue(CLAIMS);
    const [rotated] = await rotateSecrets(database, ['session-token'], false);
    const later = await openRotatingSecret(database, 'session-token', systemClock);
    const ofAnotherNode = createSessionTokens(30, systemClock, database, later);
    const { token: fresh } = await ofAnotherNode.issue(CLAIMS);
    assert.equal(decodeProtectedHeader(fresh).kid, rotated!.kid);
    assert.equal((await ofAnotherNode.accept(old))?.accountId, 'ada');
    assert.equal((await tokens.accept(fresh))?.accountId, 'ada', 'this node has not met the new version yet');
  });

  it('is refused with the kid of another version, and without one unless it is from before kids', async () => {
    const { kid, value } = await secret.newest();
    assert.equal((await tokens.accept(await signed({ kid }, value)))?.accountId, 'ada');
    const [rotated] = await rotateSecrets(database, ['session-token'], false);
    assert.equal(await tokens.accept(await signed({ kid: rotated!.kid }, value)), null);
    assert.equal(await tokens.accept(await signed({}, value)), null);
    await database.query(`update secret set kid = 'initial' where kid = $1`, [kid]);
    const upgraded = await openRotatingSecret(database, 'session-token', systemClock);
    const afterUpgrade = createSessionTokens(30, systemClock, database, upgraded);
    assert.equal((await afterUpgrade.accept(await signed({}, value)))?.accountId, 'ada');
  });

  it('is refused without a valid signature, whatever its header contains', async () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const header of [{ alg: 'none' }, { alg: 'HS256', kid: 7 }, { alg: 'HS256', kid: '__proto__' }, 'HS256']) {
      assert.equal(await tokens.accept(`${part(header)}.${part({})}.`), null);
    }
    assert.equal(await tokens.accept('garbage'), null);
  });

  it('reports a database that is away, instead of refusing', async () => {
    const gone = createSessionTokens(30, systemClock, database, {
      ...secret,
      find: () => Promise.reject(new Error('away')),
    });
    await assert.rejects(gone.accept((await tokens.issue(CLAIMS)).token), /away/);
  });
});
