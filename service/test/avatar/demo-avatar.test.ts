import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readAvatarBundle } from '../../src/avatar/avatar-bundle.js';
import { createAvatars, type Avatars } from '../../src/avatar/avatars.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import { seedDemoAvatar } from '../../src/avatar/seed-demo-avatar.js';
import type { Database } from '../../src/store/database.js';
import { openStore } from './api.js';
import { someBundle } from './some-bundle.js';

/** Hash of each published revision. */
const REVISIONS: Readonly<Record<number, string>> = {
  1: 'a183e1322c009d04',
  2: '2eaa38c2e9bde99a',
};

describe('The demo avatar', () => {
  let database: Database;
  let avatars: Avatars;
  before(async () => {
    database = await openStore();
    avatars = createAvatars(database);
  });
  beforeEach(() => database.query('delete from avatar'));
  after(() => database.close());

  const readRevision = async () => JSON.parse((await avatars.readBundle('demo'))!).revision as number;
  const next = { ...demoAvatar, revision: demoAvatar.revision + 1 };

  it('is a valid bundle', () => {
    assert.deepEqual(readAvatarBundle(demoAvatar, 'demo'), demoAvatar);
  });

  it('has a new revision after each change, so that existing databases are updated', () => {
    const hash = createHash('sha256').update(JSON.stringify(demoAvatar)).digest('hex').slice(0, 16);
    assert.equal(hash, REVISIONS[demoAvatar.revision], 'count `revision` up, and add its hash here');
  });

  it('is there after the start, public and available', async () => {
    await seedDemoAvatar(database);
    const { isPublic, status } = (await avatars.find('demo'))!;
    assert.deepEqual({ isPublic, status }, { isPublic: true, status: 'available' });
    assert.deepEqual(JSON.parse((await avatars.readBundle('demo'))!), demoAvatar);
  });

  it('is added once when several nodes start at the same time', async () => {
    await Promise.all([seedDemoAvatar(database), seedDemoAvatar(database), seedDemoAvatar(database)]);
    await seedDemoAvatar(database);
    assert.equal((await avatars.list()).length, 1);
  });

  it('is replaced by a newer revision, never by an older one', async () => {
    await seedDemoAvatar(database);
    await seedDemoAvatar(database, next);
    assert.equal(await readRevision(), next.revision);
    await seedDemoAvatar(database);
    assert.equal(await readRevision(), next.revision);
  });

  it('stays disabled if an operator disabled it, even after an update', async () => {
    await seedDemoAvatar(database);
    await avatars.setStatus('demo', 'disabled');
    await seedDemoAvatar(database, next);
    assert.equal((await avatars.find('demo'))!.status, 'disabled');
    assert.equal(await readRevision(), next.revision);
  });

  it('does not replace another user’s avatar with the same id', async () => {
    const bundle = someBundle();
    await avatars.add({ id: 'demo', owner: 'owner', isPublic: false, status: 'available', bundle });
    await seedDemoAvatar(database, next);
    assert.equal((await avatars.find('demo'))!.owner, 'owner');
    assert.equal(JSON.parse((await avatars.readBundle('demo'))!).avatar.name, 'A line');
  });
});
