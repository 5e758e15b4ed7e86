import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Database, Queries } from '../../src/store/database.js';
import { migrate } from '../../src/store/migrations.js';
import { openRotatingSecret, type RotatingSecret } from '../../src/store/rotating-secret.js';
import { listSecrets, PURGE_SECRETS, rotateSecrets, SecretError } from '../../src/store/secret-versions.js';
import { DatabaseClock } from '../support/database-clock.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { ManualClock } from '../support/manual-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A `kid` in our format that no secret has. */
const garbageKid = (index: number): string => `svc${index.toString(16).padStart(18, '0')}`;

describeOnEveryDatabase('A rotating secret', (databases) => {
  let database: Database;
  let databaseClock: DatabaseClock;
  let clock: ManualClock;
  before(async () => {
    database = await databases.open();
    databaseClock = await DatabaseClock.stop(database);
    clock = new ManualClock();
  });
  const open = (queries: Queries = database): Promise<RotatingSecret> =>
    openRotatingSecret(queries, 'session-token', clock);
  const rotate = async (isLeaked = false) => (await rotateSecrets(database, ['session-token'], isLeaked))[0]!;
  const advance = async (ms: number): Promise<void> => {
    await databaseClock.advance(ms);
    clock.advance(ms);
  };

  it('is created only once if several nodes start together', async () => {
    const nodes = await Promise.all(Array.from({ length: 10 }, () => open()));
    const versions = await Promise.all(nodes.map((node) => node.newest()));
    assert.match(versions[0]!.kid, /^svc[0-9a-f]{18}$/);
    assert.match(versions[0]!.value, /^[\w-]{43}$/);
    assert.equal(new Set(versions.map(({ value }) => value)).size, 1);
  });

  it('finds its new version at once after a rotation, and signs with it a minute later', async () => {
    const node = await open();
    const old = await node.newest();
    const { kid } = await rotate();
    assert.equal((await node.newest()).kid, old.kid);
    const found = await node.find(kid);
    assert.notEqual(found!.value, old.value);
    await advance(MINUTE_MS);
    assert.deepEqual((await node.newest()).value, found!.value);
    assert.equal((await node.find(old.kid))!.value, old.value, 'the old one is accepted');
  });

  it('accepts a replaced version for two hours, then it is deleted', async () => {
    const node = await open();
    const { kid } = await node.newest();
    await rotate();
    await advance(2 * HOUR_MS - 1);
    assert.notEqual(await node.find(kid), null);
    await database.query(PURGE_SECRETS);
    assert.ok((await listSecrets(database)).some((row) => row.kid === kid));
    await advance(MINUTE_MS);
    assert.equal(await node.find(kid), null);
    await database.query(PURGE_SECRETS);
    assert.equal((await listSecrets(database)).length, 1);
  });

  it('accepts every version of several rotations within the overlap', async () => {
    const node = await open();
    const kids = [(await node.newest()).kid, (await rotate()).kid, (await rotate()).kid];
    await advance(MINUTE_MS);
    assert.equal((await node.newest()).kid, kids[2]);
    for (const kid of kids) assert.equal((await node.find(kid))?.kid, kid);
  });

  it('has one last version after rotations that run together', async () => {
    await Promise.all([rotate(), rotate(), rotate()]);
    const last = (await listSecrets(database)).filter(({ expires_at }) => expires_at === null);
    assert.equal(last.length, 1);
  });

  it('accepts no old version a minute after a rotation because of a leak', async () => {
    const node = await open();
    const old = await node.newest();
    const { kid } = await rotate(true);
    await advance(MINUTE_MS);
    assert.equal(await node.find(old.kid), null);
    assert.equal((await node.newest()).kid, kid);
    assert.deepEqual(
      (await listSecrets(database)).map((row) => row.kid),
      [kid],
    );
  });

  it('reads the database at most once a second for any number of unknown kids', async () => {
    let reads = 0;
    const node = await open({
      query(text, values) {
        reads++;
        return database.query(text, values);
      },
    });
    reads = 0;
    const first = Array.from({ length: 1000 }, (_, index) => node.find(garbageKid(index)));
    assert.deepEqual(new Set(await Promise.all(first)), new Set([null]));
    assert.equal(reads, 1);
    const { kid } = await rotate();
    const second = Array.from({ length: 1000 }, (_, index) => node.find(garbageKid(index)));
    const wanted = node.find(kid);
    await node.newest();
    assert.equal(reads, 1, 'lookups within a second of the first read wait');
    clock.advance(1000);
    assert.deepEqual(new Set(await Promise.all(second)), new Set([null]));
    assert.equal(reads, 2);
    assert.equal((await wanted)?.kid, kid, 'a token of a new version is not refused because of garbage');
    for (const kidOfAnotherForm of ['', 'initial', 'x'.repeat(10_000), `${kid}0`]) {
      assert.equal(await node.find(kidOfAnotherForm), null);
    }
    assert.equal(reads, 2);
  });

  it('rejects while the database is away, and reads again when it is back', async () => {
    let isAway = false;
    const node = await open({
      query: (text, values) => (isAway ? Promise.reject(new Error('away')) : database.query(text, values)),
    });
    const { kid } = await node.newest();
    isAway = true;
    await assert.rejects(node.find(garbageKid(1)), /away/);
    await advance(MINUTE_MS);
    await assert.rejects(node.newest(), /away/);
    isAway = false;
    assert.equal((await node.newest()).kid, kid);
  });

  it('rotates nothing if a secret does not exist, or its last rotation has not taken effect', async () => {
    const kept = await listSecrets(database);
    const both = () => rotateSecrets(database, ['session-token', 'room-token'], false);
    await assert.rejects(both(), (error: Error) => {
      assert.ok(error instanceof SecretError);
      assert.match(error.message, /^room-token cannot be rotated: the store has no such secret\. .* SVC_LIVEKIT_KEY/);
      return true;
    });
    assert.deepEqual(await listSecrets(database), kept);
    await openRotatingSecret(database, 'room-token', clock);
    const [, room] = await both();
    await assert.rejects(both(), (error: Error) => {
      assert.ok(error instanceof SecretError);
      assert.match(error.message, new RegExp(`new version ${room!.kid} does not sign before 20\\S+Z\\. Wait`));
      assert.doesNotMatch(error.message, new RegExp(room!.secret!));
      return true;
    });
  });
});

describeOnEveryDatabase('Secrets from before they had versions', (databases) => {
  let database: Database;
  let databaseClock: DatabaseClock;
  before(async () => {
    database = await databases.openOlder(2);
    databaseClock = await DatabaseClock.stop(database);
    await database.query(
      `insert into secret values ('session-token', 'session'), ('livekit-key', 'svc0a'), ('livekit-secret', 'room')`,
    );
    await migrate(database);
  });
  after(() => database.close());

  it('still sign, with the same LiveKit key, and are accepted without a kid until two hours after a rotation', async () => {
    const clock = new ManualClock();
    const session = await openRotatingSecret(database, 'session-token', clock);
    const room = await openRotatingSecret(database, 'room-token', clock);
    assert.deepEqual([(await session.newest()).kid, (await session.newest()).value], ['initial', 'session']);
    assert.deepEqual([(await room.newest()).kid, (await room.newest()).value], ['svc0a', 'room']);
    assert.equal((await session.find(undefined))?.value, 'session');
    await rotateSecrets(database, ['session-token'], false);
    await databaseClock.advance(HOUR_MS);
    clock.advance(HOUR_MS);
    assert.equal((await session.find(undefined))?.value, 'session');
    await databaseClock.advance(HOUR_MS);
    clock.advance(HOUR_MS);
    assert.equal(await session.find(undefined), null);
  });
});
