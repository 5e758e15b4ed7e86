import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Conversation } from './support/conversation.js';
import { Program } from './support/program.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'svc-cli-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const run = (line: string, environment: Record<string, string> = {}) =>
  new Program(line.split(' '), { cwd, environment });

const call = (base: string, key: string): Promise<Response> =>
  fetch(`${base}api/v1/realtime/stream/session`, { method: 'POST', headers: { 'X-SVC-Api-Key': key } });

const MADE_KEY = /^There was no key, so one was made for the user owner\. It is not shown again: (svc_\S{43})\n$/;

describe('svc-service', () => {
  it('prints one line when it is ready, and speaks', async () => {
    const program = run('start --port 0 --data memory', { SVC_API_KEY: 'from-the-environment' });
    const base = await program.ready();
    const response = await call(base, 'from-the-environment');
    const { url } = (await response.json()) as { url: string };
    const conversation = await new Conversation(url).opened();
    conversation.say('Hello.');
    await conversation.message('context_done');
    assert.ok(conversation.samples().length > 5000);
    program.child.kill('SIGTERM');
    assert.equal((await conversation.closed()).code, 1001);
    assert.equal(await program.exit(), 0);
    assert.deepEqual(program.lines, [`ready ${base}`]);
    assert.equal(program.errors, '');
    assert.deepEqual(await readdir(cwd), []);
  });

  it('makes a key if there is none, prints it once, not on stdout, and accepts it from then on', async () => {
    const first = run('--port 0');
    const base = await first.ready();
    const [, key] = await first.complaint(MADE_KEY);
    assert.equal((await call(base, key!)).status, 200);
    assert.equal((await call(base, `${key}x`)).status, 401);
    first.child.kill('SIGINT');
    assert.equal(await first.exit(), 0);
    assert.deepEqual(first.lines, [`ready ${base}`]);
    assert.match(first.errors, MADE_KEY);

    const second = run('--port 0');
    assert.equal((await call(await second.ready(), key!)).status, 200);
    second.child.kill('SIGTERM');
    assert.equal(await second.exit(), 0);
    assert.equal(second.errors, '', 'it is not made again, nor shown');
    assert.deepEqual(await readdir(cwd), ['svc-service-data']);
  });

  it('takes another key from the environment in place of the one before', async () => {
    const first = run('--port 0', { SVC_API_KEY: 'first' });
    await first.ready();
    first.child.kill('SIGTERM');
    await first.exit();
    const second = run('--port 0', { SVC_API_KEY: 'second' });
    const base = await second.ready();
    assert.equal((await call(base, 'second')).status, 200);
    assert.equal((await call(base, 'first')).status, 401);
    second.child.kill('SIGTERM');
    await second.exit();
    const third = run('--port 0', { SVC_API_KEY: 'first' });
    assert.match(await third.failure(1), /^SVC_API_KEY is a key that was revoked \(key_\w+, .*\): set another one\.$/);
  });

  it('takes commands while it runs, and what they do counts at once', async () => {
    const program = run('--port 0', { SVC_API_KEY: 'k' });
    const base = await program.ready();
    const [made] = await run('keys create --user ada --plan starter --credits 0').rows();
    const key = made!.key as string;
    assert.equal((await call(base, key)).status, 402, 'without credits');
    assert.deepEqual(await run('credits add ada 60').rows(), [{ user: 'ada', credits: 60 }]);
    const session = await call(base, key);
    assert.equal(session.status, 200);
    const { url } = (await session.json()) as { url: string };
    const conversation = await new Conversation(url).opened();
    conversation.say('Hello.');
    await conversation.message('context_done');
    await conversation.close();
    await run('keys create --user ada --plan none').rows();
    assert.equal((await call(base, key)).status, 402, 'without a plan');
    await run(`keys revoke ${String(made!.id)}`).rows();
    assert.equal((await call(base, key)).status, 401, 'revoked');
    program.child.kill('SIGTERM');
    assert.equal(await program.exit(), 0);

    const ledger = await run('ledger --user ada').rows();
    assert.deepEqual(
      ledger.map(({ kind, session: socket }) => [kind, typeof socket]),
      [
        ['grant', 'object'],
        ['usage', 'string'],
      ],
    );
    const left = (await run('keys list').rows()).find(({ id }) => id === made!.id)!.credits as number;
    const sum = ledger.reduce((total, { ms }) => total + (ms as number), 0);
    assert.equal(sum, Math.round(left * 1000));
    assert.ok(sum < 60_000 && sum > 0);
  });

  it('leaves data that commands and the next one can use when it is killed', async () => {
    const first = run('--port 0', { SVC_API_KEY: 'k' });
    await first.ready();
    const [made] = await run('keys create --user ada').rows();
    first.child.kill('SIGKILL');
    assert.equal(await first.exit(), null);
    assert.equal(
      (await run('keys list').rows()).some(({ id }) => id === made!.id),
      true,
    );
    const second = run('--port 0', { SVC_API_KEY: 'k' });
    assert.equal((await call(await second.ready(), made!.key as string)).status, 200);
    assert.equal((await run('keys list').rows()).length, 2);
    second.child.kill('SIGTERM');
    assert.equal(await second.exit(), 0);
  });

  it('says what it does not understand, in one line, with exit code 2', async () => {
    assert.match(await run('--prot 0').failure(2), /^--prot is not known; svc-service --help shows what is\.$/);
    assert.match(await run('start --port 0', { SVC_TRUST_PROXY: '*' }).failure(2), /^SVC_TRUST_PROXY cannot be \*/);
  });

  it('says that a port is taken, in one line, with exit code 1', async () => {
    const first = run('--port 0 --data memory', { SVC_API_KEY: 'k' });
    const { port } = new URL(await first.ready());
    assert.match(await run(`--port ${port} --data memory`, { SVC_API_KEY: 'k' }).failure(1), /EADDRINUSE/);
    first.child.kill('SIGTERM');
    await first.exit();
  });

  it('makes no key when it cannot start, so that the next start can show it', async () => {
    const first = run('--port 0 --data memory', { SVC_API_KEY: 'k' });
    const { port } = new URL(await first.ready());
    assert.match(await run(`--port ${port}`).failure(1), /EADDRINUSE/);
    const next = run('--port 0');
    await next.ready();
    await next.complaint(/one was made/);
    for (const { child } of [first, next]) child.kill('SIGTERM');
    await Promise.all([first.exit(), next.exit()]);
  });

  it('says that another one has the data, in one line, with exit code 1', async () => {
    const first = run('--port 0', { SVC_API_KEY: 'k' });
    await first.ready();
    assert.match(await run('--port 0', { SVC_API_KEY: 'k' }).failure(1), /svc-service-data/);
    first.child.kill('SIGTERM');
    await first.exit();
  });

  it('explains itself', async () => {
    const program = run('--help');
    assert.equal(await program.exit(), 0);
    assert.match(program.lines.join('\n'), /^Usage: svc-service \[start\] \[--port N\]/);
  });
});
