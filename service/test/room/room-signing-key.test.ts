import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roomSigningKey } from '../../src/room/room-signing-key.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';

describe('The key of room tokens', () => {
  let database: Database;
  before(async () => {
    database = await openDatabase();
  });
  after(() => database.close());

  it('is the one that is configured', async () => {
    const configured = { key: 'devkey', secret: 'secret' };
    assert.deepEqual(await roomSigningKey(database, configured), configured);
    assert.deepEqual(await database.query('select * from secret'), [], 'and is not kept');
  });

  it('is made and kept if none is, the same for all nodes', async () => {
    const [one, other] = await Promise.all([roomSigningKey(database), roomSigningKey(database, {})]);
    assert.deepEqual(one, other);
    // LiveKit complains about fewer.
    assert.ok(one.secret.length >= 32);
  });

  it('is not half of one', async () => {
    await assert.rejects(roomSigningKey(database, { key: 'devkey' }), /SVC_LIVEKIT_SECRET/);
    await assert.rejects(roomSigningKey(database, { secret: 'secret' }), /SVC_LIVEKIT_KEY/);
  });
});
