import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TokenVerifier } from 'livekit-server-sdk';
import { systemClock } from '../../src/clock.js';
import { roomSigningKey } from '../../src/room/room-signing-key.js';
import { issueRoomToken } from '../../src/room/room-token.js';
import type { Database } from '../../src/store/database.js';
import { openRotatingSecret } from '../../src/store/rotating-secret.js';
import { rotateSecrets } from '../../src/store/secret-versions.js';
import { DatabaseClock } from '../support/database-clock.js';
import { ManualClock } from '../support/manual-clock.js';
import { openDatabase } from '../support/open-database.js';

const ENTRY = { accountId: 'owner', avatarId: 'demo', name: 'Jo', isGuest: false, room: 'harbour' };

describe('The key of room tokens', () => {
  let database: Database;
  let databaseClock: DatabaseClock;
  before(async () => {
    database = await openDatabase();
    databaseClock = await DatabaseClock.stop(database);
  });
  after(() => database.close());
  const openSecret = () => openRotatingSecret(database, 'room-token', systemClock);

  it('is the one that is configured', async () => {
    const configured = { key: 'devkey', secret: 'secret' };
    assert.deepEqual(await (await roomSigningKey(openSecret, configured))(), configured);
    assert.deepEqual(await database.query('select * from secret'), [], 'and is not kept');
  });

  it('is generated and stored if none is configured, the same for all nodes', async () => {
    const keys = await Promise.all([roomSigningKey(openSecret), roomSigningKey(openSecret, {})]);
    const [one, other] = await Promise.all(keys.map((key) => key()));
    assert.deepEqual(one, other);
    // LiveKit complains about shorter secrets.
    assert.ok(one!.secret.length >= 32);
  });

  it('is refused if only its id or only its secret is configured', async () => {
    await assert.rejects(roomSigningKey(openSecret, { key: 'devkey' }), /SVC_LIVEKIT_SECRET/);
    await assert.rejects(roomSigningKey(openSecret, { secret: 'secret' }), /SVC_LIVEKIT_KEY/);
  });

  it('changes an hour after a rotation, so that a LiveKit server with both keys accepts every token', async () => {
    const clock = new ManualClock();
    const secret = await openRotatingSecret(database, 'room-token', clock);
    const signingKey = await roomSigningKey(async () => secret);
    const old = await signingKey();
    const [rotated] = await rotateSecrets(database, ['room-token'], false);
    const advance = async (ms: number): Promise<void> => {
      await databaseClock.advance(ms);
      clock.advance(ms);
    };
    await advance(59 * 60_000);
    await new TokenVerifier(old.key, old.secret).verify(await issueRoomToken(await signingKey(), ENTRY, systemClock));
    await advance(60_000);
    assert.deepEqual(await signingKey(), { key: rotated!.kid, secret: rotated!.secret });
    const token = await issueRoomToken(await signingKey(), ENTRY, systemClock);
    await new TokenVerifier(rotated!.kid, rotated!.secret!).verify(token);
    const header = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string };
    assert.equal(header.kid, rotated!.kid);
  });
});
