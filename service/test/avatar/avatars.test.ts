import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AvatarError } from '../../src/avatar/avatar-error.js';
import { createAvatars, type Avatars, type AvatarStatus, type NewAvatar } from '../../src/avatar/avatars.js';
import type { Database } from '../../src/store/database.js';
import { openStore } from './api.js';
import { someBundle, svgWith } from './some-bundle.js';

describe('The avatars of a service', () => {
  let database: Database;
  let avatars: Avatars;
  before(async () => {
    database = await openStore();
    avatars = createAvatars(database);
  });
  after(() => database.close());
  beforeEach(() => database.query('delete from avatar'));

  const add = (avatar: Partial<NewAvatar> = {}) =>
    avatars.add({ owner: 'owner', isPublic: false, status: 'available', bundle: someBundle(), ...avatar });
  const refused = (avatar: Partial<NewAvatar>, message: RegExp) =>
    assert.rejects(add(avatar), (error) => error instanceof AvatarError && message.test(error.message));
  const refusedBundle = (parts: Record<string, unknown>, message: RegExp) =>
    refused({ bundle: someBundle(parts) }, message);

  it('can be added, found and listed', async () => {
    assert.deepEqual(await add({ id: 'b', isPublic: true }), { id: 'b' });
    await add({ id: 'a', status: 'processing' });

    assert.deepEqual(await avatars.find('b'), { id: 'b', owner: 'owner', isPublic: true, status: 'available' });
    assert.equal(await avatars.find('c'), null);
    const list = await avatars.list();
    assert.deepEqual(
      list.map(({ id, name, status }) => ({ id, name, status })),
      [
        { id: 'a', name: 'A line', status: 'processing' },
        { id: 'b', name: 'A line', status: 'available' },
      ],
    );
    assert.ok(list[0]!.createdAt instanceof Date);
    assert.equal(list[0]!.bundleBytes, (await avatars.readBundle('a'))!.length);
  });

  it('get the requested id, the id of their bundle, or a generated one', async () => {
    const bundle = someBundle({ avatar: { id: 'from-file', name: 'Þóra' } });
    assert.deepEqual(await add({ bundle }), { id: 'from-file' });
    assert.deepEqual(await add({ bundle, id: 'asked-for' }), { id: 'asked-for' });
    const { id } = await add();
    assert.notEqual(id, (await add()).id);
    assert.deepEqual(JSON.parse((await avatars.readBundle('asked-for'))!).avatar, { id: 'asked-for', name: 'Þóra' });
  });

  it('have one status each, which can be changed', async () => {
    await add({ id: 'a' });
    assert.equal(await avatars.setStatus('a', 'disabled'), true);
    assert.equal((await avatars.find('a'))!.status, 'disabled');
    assert.equal(await avatars.setStatus('b', 'disabled'), false);
    await assert.rejects(avatars.setStatus('a', 'gone' as AvatarStatus), /processing, available, disabled/);
    await refused({ status: 'gone' as AvatarStatus }, /processing, available, disabled/);
  });

  it('are not replaced by another avatar with the same id', async () => {
    await add({ id: 'a' });
    await refused({ id: 'a', owner: 'stranger' }, /already/);
    assert.equal((await avatars.find('a'))!.owner, 'owner');
  });

  it('belong to an existing user', () => refused({ owner: 'nobody' }, /keys create --user nobody/));

  it('have ids that fit into a URL', async () => {
    for (const id of ['', 'a/b', '..', 'a b', 'ä', 'a\0', 'x'.repeat(65)]) await refused({ id }, /letters, digits/);
  });

  it('are not found by an invalid id', async () => {
    for (const id of ['', '\0', "' or true --", 'x'.repeat(100_000)]) {
      assert.equal(await avatars.find(id), null);
      assert.equal(await avatars.readBundle(id), null);
      assert.equal(await avatars.setStatus(id, 'available'), false);
    }
  });

  it('are refused with an invalid bundle', async () => {
    for (const bundle of [null, undefined, 'text', [], 1]) await refused({ bundle }, /must be an object/);
    await refusedBundle({ version: 2 }, /version: must be 1/);
    await refusedBundle({ svg: undefined }, /svg/);
    await refusedBundle({ more: 1 }, /more is not known/);
    await refusedBundle({ avatar: {} }, /name is missing/);
    for (const revision of [0, 1.5, '1', 2 ** 53]) await refusedBundle({ revision }, /revision: must be a/);
  });

  for (const [what, text] of [
    ['NUL', '\0'],
    ['a control', '\u0001'],
    ['the first half of a character', '\ud83d'],
    ['the second half of a character', '\ude00'],
    ['halves in the wrong order', '\ude00\ud83d'],
    ['what is no character', '\uffff'],
  ] as const) {
    it(`are refused with ${what} in a text, which a database or a reader of XML cannot take`, async () => {
      await refusedBundle({ avatar: { name: `a${text}b` } }, /avatar.name: U\+.* is not allowed/);
      const path = '<path id="avatar-mouth" stroke="var(--avatar-ink)" d="M0 5 L9 5"/>';
      await refusedBundle({ svg: svgWith(`<title>a${text}b</title>${path}`) }, /svg: U\+.* is not allowed/);
      await refusedBundle({ svg: svgWith(`<g id="avatar-${text}"/>${path}`) }, /svg: U\+.* is not allowed/);
    });
  }

  it('are listed whatever is in the bundle of one of them', async () => {
    await add({ id: 'a', bundle: someBundle({ avatar: { name: '😀' } }) });
    // Like a bundle that was stored by other means, or by an earlier version of the service.
    await database.query(`update avatar set bundle = '{"avatar": {"name": "\\ud800"}}' where id = 'a'`);
    await add({ id: 'b' });
    assert.deepEqual(
      (await avatars.list()).map(({ id, name }) => [id, name]),
      [
        ['a', '😀'],
        ['b', 'A line'],
      ],
    );
  });

  it('are refused with a drawing that contains a script', () =>
    refusedBundle({ svg: svgWith('<script/>') }, /<script> is not allowed/));

  it('are refused with a bundle of more than 2 MiB', async () => {
    const mouth = '<path id="avatar-mouth" stroke="var(--avatar-ink)" d="M0 5 L9 5"/>';
    const filled = (bytes: number) => svgWith(`${mouth}<desc>${'x'.repeat(bytes)}</desc>`);
    await refusedBundle({ svg: filled(2 * 1024 * 1024 - 200) }, /2 MiB/);
    await refusedBundle({ svg: filled(2 * 1024 * 1024) }, /svg: must be a string of 1 to/);
    await add({ bundle: someBundle({ svg: filled(2 * 1024 * 1024 - 2000) }) });
  });

  it('are refused without a colour that the drawing uses, or with an invalid one', async () => {
    const light = { '--avatar-ink': '#14262e' };
    await refusedBundle({ colors: { light, dark: {} } }, /colors.dark: --avatar-ink is missing/);
    await refusedBundle({ colors: { light, dark: { '--avatar-ink': 'url(x)' } } }, /#rrggbb/);
    await refusedBundle({ colors: { light, dark: { ...light, '--ink': '#000000' } } }, /begin with --avatar-/);
  });

  const mouthWith = (parts: Record<string, unknown>) => ({ mouth: { ...(someBundle().mouth as object), ...parts } });
  const shape = (open: number, d: string, id = 'avatar-mouth') => ({ open, paths: { [id]: d } });
  const shut = shape(0, 'M0 5 L9 5');

  it('are refused with a mouth that cannot be blended', async () => {
    await refusedBundle(mouthWith({ shapes: [shut] }), /2 to 16/);
    await refusedBundle(mouthWith({ shapes: [shut, shape(1, 'M0 5 Q1 1 9 5')] }), /other commands/);
    await refusedBundle(mouthWith({ shapes: [shut, shape(1, 'M0 5 A1 1 0 0 1 9 5')] }), /without arcs/);
    await refusedBundle(mouthWith({ shapes: [shut, shape(1, 'M0 5 L9')] }), /not path data/);
    await refusedBundle(mouthWith({ shapes: [shut, shape(1, 'M0 5 L9 url(x)')] }), /not path data/);
    await refusedBundle(
      mouthWith({ shapes: [shut, shape(1, 'M0 5 L9 5', 'avatar-jaw')] }),
      /no <path id="avatar-jaw">/,
    );
    await refusedBundle(mouthWith({ shapes: [shut, { open: 1, paths: {} }] }), /the same paths/);
    await refusedBundle(mouthWith({ shapes: [shape(0.2, 'M0 5 L9 5'), shape(1, 'M0 5 L9 5')] }), /open 0, the last/);
    await refusedBundle(mouthWith({ shapes: [shut, shape(0, 'M0 5 L9 5'), shape(1, 'M0 5 L9 5')] }), /rise/);
  });

  it('may have forms of the mouth, of paths that move with it', async () => {
    const round = { 'avatar-mouth': 'M3 5 L6 5' };
    await add({ bundle: someBundle(mouthWith({ forms: { round } })) });
    await refusedBundle(mouthWith({ forms: { oval: round } }), /mouth\.forms: oval is not known/);
    await refusedBundle(mouthWith({ forms: { teeth: { 'avatar-jaw': 'M0 5 L9 5' } } }), /no <path id="avatar-jaw">/);
    await refusedBundle(mouthWith({ forms: { spread: { 'avatar-mouth': 'M0 5 Q1 1 9 5' } } }), /other commands/);
    const still = '<path id="avatar-nose" stroke="var(--avatar-ink)" d="M1 1 L2 2"/>';
    const svg = svgWith(`${still}<path id="avatar-mouth" stroke="var(--avatar-ink)" d="M0 5 L9 5"/>`);
    const nose = { ...mouthWith({ forms: { round: { 'avatar-nose': 'M1 2 L2 3' } } }), svg };
    await refusedBundle(nose, /avatar-nose does not move with mouth\.shapes/);
  });

  it('are refused with a mouth or a blink beyond what can be shown', async () => {
    await refusedBundle(mouthWith({ loudDb: -41 }), /loudDb/);
    await refusedBundle(mouthWith({ attackMs: Number.NaN }), /attackMs/);
    const blink = { everySeconds: [2, 5], closeMs: 80, open: {}, closed: {} };
    await refusedBundle({ blink: { ...blink, everySeconds: [5, 2] } }, /everySeconds\[1\]/);
    await refusedBundle({ blink: { ...blink, everySeconds: [2, 5, 6] } }, /two numbers/);
    await refusedBundle({ blink: { ...blink, closeMs: 0 } }, /closeMs/);
    await add({ bundle: someBundle({ blink }) });
  });
});
