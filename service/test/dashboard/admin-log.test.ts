import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { Program } from '../support/program.js';
import { ADMIN_TOKEN, adminClient, logIn } from './admin-client.js';

describe('the log of a service with a dashboard', () => {
  let program: Program;
  let ask: ReturnType<typeof adminClient>;
  before(async () => {
    const environment = { SVC_ADMIN_TOKEN: ADMIN_TOKEN, SVC_LOG_LEVEL: 'info' };
    program = new Program(['start', '--port', '0', '--data', 'memory'], { environment, cwd: tmpdir() });
    ask = adminClient((await program.ready()).replace(/\/$/, ''));
  });
  after(() => program.child.kill('SIGKILL'));

  it('has a line for each action, and no secret', async () => {
    const { changing, reading } = await logIn(ask, 'Ann');
    const { key, id } = (await ask('POST', '/keys', { user: 'ann' }, changing)).body;
    await ask('GET', '/users', undefined, { authorization: 'Bearer wrong-token-of-a-stranger' });
    await ask('POST', '/logout', undefined, changing);
    program.child.kill('SIGTERM');
    const { errors } = await program.result();
    const lines = errors.split('\n').filter((line) => line.startsWith('{'));
    const actions = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('admin '));
    assert.deepEqual(
      actions.map(({ msg, name, via, action, details }) => [msg, name, via, action, details?.id]),
      [
        ['admin action', 'Ann', 'dashboard', 'login', undefined],
        ['admin action', 'Ann', 'dashboard', 'keys create', id],
        ['admin login refused', 'unknown', 'api', 'login', undefined],
        ['admin action', 'Ann', 'dashboard', 'logout', undefined],
      ],
    );
    for (const secret of [ADMIN_TOKEN, key, reading.cookie, changing['x-csrf-token'], 'wrong-token']) {
      assert.ok(!errors.includes(secret), secret);
    }
  });
});
