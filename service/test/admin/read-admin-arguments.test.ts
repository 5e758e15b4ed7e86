import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { findCommand } from '../../src/admin/commands.js';
import { isAdminCommand, readAdminArguments } from '../../src/admin/read-admin-arguments.js';
import { SettingsError } from '../../src/settings.js';

const store = { dataDir: resolve('svc-service-data') };
const read = (line: string, environment = {}) => readAdminArguments(line.split(' '), environment);

describe('readAdminArguments', () => {
  for (const [line, expected] of [
    ['keys create', { method: 'POST', path: '/keys', body: {} }],
    [
      'keys create --user ada --plan pro --credits 1.5',
      { method: 'POST', path: '/keys', body: { user: 'ada', plan: 'pro', credits: 1.5 } },
    ],
    ['keys create --credits=0', { method: 'POST', path: '/keys', body: { credits: 0 } }],
    ['keys list', { method: 'GET', path: '/keys', query: { after: '', limit: '1000' }, rows: 'keys' }],
    ['keys revoke key_1', { method: 'POST', path: '/keys/key_1/revoke' }],
    ['keys revoke a/b?', { method: 'POST', path: '/keys/a%2Fb%3F/revoke' }],
    ['users plan ada pro', { method: 'PATCH', path: '/users/ada', body: { plan: 'pro' } }],
    ['credits add ada 100', { method: 'POST', path: '/users/ada/credits', body: { credits: 100 } }],
    [
      'avatars add fox.json --owner ada',
      {
        method: 'POST',
        path: '/avatars',
        bundleFile: 'fox.json',
        body: { owner: 'ada', public: false, status: 'available' },
      },
    ],
    [
      'avatars add --public --owner ada fox.json --id fox --status disabled',
      {
        method: 'POST',
        path: '/avatars',
        bundleFile: 'fox.json',
        body: { owner: 'ada', id: 'fox', public: true, status: 'disabled' },
      },
    ],
    ['avatars list', { method: 'GET', path: '/avatars', query: { after: '', limit: '1000' }, rows: 'avatars' }],
    ['avatars status fox processing', { method: 'PATCH', path: '/avatars/fox', body: { status: 'processing' } }],
    ['ledger', { method: 'GET', path: '/ledger', query: { after: '0', limit: '1000' }, rows: 'ledger' }],
    [
      'ledger --user ada',
      { method: 'GET', path: '/ledger', query: { after: '0', limit: '1000', user: 'ada' }, rows: 'ledger' },
    ],
    ['data backup copy', { method: 'POST', path: '/backup', body: { path: resolve('copy') } }],
    ['data export data.sql', { exportFile: 'data.sql' }],
    ['secrets list', { method: 'GET', path: '/secrets', rows: 'secrets' }],
    ['secrets rotate', { method: 'POST', path: '/secrets/rotate', body: { isLeaked: false }, rows: 'secrets' }],
    [
      'secrets rotate room-token --leaked',
      { method: 'POST', path: '/secrets/rotate', body: { name: 'room-token', isLeaked: true }, rows: 'secrets' },
    ],
  ] as const) {
    it(`understands ${line}`, () => {
      assert.ok(isAdminCommand(line.split(' ')));
      assert.deepEqual(read(line), { name: findCommand(line.split(' ')), store, job: expected, livekitKey: undefined });
    });
  }

  it('looks for the data where the service does', () => {
    assert.deepEqual(read('ledger --data /x')?.store, { dataDir: resolve('/x') });
    assert.deepEqual(read('ledger', { SVC_DATA_DIR: '/y' })?.store, { dataDir: resolve('/y') });
    assert.deepEqual(read('ledger', { SVC_DATABASE_URL: 'postgres://h/d' })?.store, { databaseUrl: 'postgres://h/d' });
    assert.deepEqual(read('ledger --database-url postgres://h/e', { SVC_DATA_DIR: '/y' })?.store, {
      databaseUrl: 'postgres://h/e',
    });
  });

  it('returns null if help is requested', () => {
    for (const line of ['keys --help', 'keys create --help', 'ledger -h', 'avatars add --help', 'credits -h']) {
      assert.equal(read(line), null);
    }
  });

  for (const [line, complaint] of [
    ['keys', 'keys is not known: there are keys create, keys list, keys revoke'],
    ['keys crate', 'keys crate is not known: there are keys create'],
    ['credits remove ada 5', 'credits remove is not known: there are credits add'],
    ['keys revoke', 'ID is missing: svc-service keys revoke ID'],
    ['keys list all', 'unexpected argument all: svc-service keys list'],
    ['credits add ada', 'N is missing: svc-service credits add USER N'],
    ['credits add ada x', 'N: Credits are seconds'],
    ['credits add ada 0x10', 'N: Credits are seconds'],
    ['credits add ada 1e3', 'N: Credits are seconds'],
    ['credits add ada 1.2345', 'N: Credits are seconds'],
    ['credits add ada 1000000001', 'N: Credits are seconds'],
    ['credits add a:b 1', 'USER: The id of a user'],
    ['keys create --credits', '--credits needs a value'],
    ['keys create --credits --plan pro', '--credits needs a value'],
    ['keys create --credits -5', '--credits: Credits are seconds'],
    ['keys create --plan gold', '--plan must be one of none, starter, pro, not gold'],
    ['keys create --plan=', '--plan must be one of none, starter, pro, not nothing'],
    ['keys create --user=', '--user: The id of a user'],
    ['ledger --user=', '--user: The id of a user'],
    ['ledger --credits 1', '--credits is not known'],
    ['avatars add --owner ada', 'FILE is missing'],
    ['avatars add fox.json', 'avatars add needs --owner USER'],
    ['avatars add fox.json --owner ada --status ready', '--status must be one of processing, available, disabled'],
    ['avatars add fox.json --owner ada --public=yes', '--public takes no value'],
    ['avatars status fox', 'STATUS is missing'],
    ['avatars status fox gone', 'STATUS must be one of processing, available, disabled, not gone'],
    ['secrets rotate livekit', 'SECRET must be one of session-token, room-token, not livekit'],
    ['secrets rotate room-token now', 'unexpected argument now: svc-service secrets rotate [SECRET]'],
    ['keys list --data memory', 'keys list cannot reach what another process holds in memory'],
  ] as const) {
    it(`says what is wrong with ${line}, in one line`, () => {
      assert.throws(
        () => read(line),
        (error: Error) =>
          error instanceof SettingsError && error.message.startsWith(complaint) && !error.message.includes('\n'),
      );
    });
  }

  it('leaves everything else to the service', () => {
    for (const line of ['', 'start', '--port 1', 'key', 'start keys']) assert.ok(!isAdminCommand(line.split(' ')));
  });
});
