import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createAccounts } from '../src/account/accounts.js';
import { lockFolder } from '../src/store/folder-lock.js';
import { Conversation } from './support/conversation.js';
import { eventually } from './support/eventually.js';
import { openDatabase } from './support/open-database.js';
import { Program } from './support/program.js';
import { failureOf, rowsOf, runMain, RunningMain } from './support/run-main.js';
import { COMPILED_ONCE } from './support/webassembly.js';

/** Engine that is ready at once and outputs noise: these tests are not about speech. */
const NOISE = { SVC_SPEECH: 'command', SVC_SPEECH_COMMAND: 'head -c 9600 /dev/urandom' };

const MADE_KEY = /^There was no key, so one was made for the user owner\. It is not shown again: (svc_\S{43})\n$/;

const home = process.cwd();
let cwd: string;
const running = new Set<RunningMain>();
describe('svc-service on the command line', () => {
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'svc-cli-'));
    process.chdir(cwd);
  });
  afterEach(async () => {
    await Promise.all([...running].map((program) => program.stop()));
    running.clear();
    process.chdir(home);
    await rm(cwd, { recursive: true });
  });

  /** Runs `svc-service start` in this process. It stops after the test at the latest. */
  function start(line: string, environment: Record<string, string> = {}): RunningMain {
    const program = new RunningMain(line, { ...NOISE, ...environment });
    running.add(program);
    return program;
  }

  /** Asserts that `svc-service` ends with this exit code, and returns the line with the reason. */
  async function failure(line: string, exitCode: number, environment: Record<string, string> = {}): Promise<string> {
    return failureOf(await runMain(line, { ...NOISE, ...environment }), exitCode);
  }

  const rows = async (line: string) => rowsOf(await runMain(line));

  const call = (base: string, key: string): Promise<Response> =>
    fetch(`${base}api/v1/realtime/stream/session`, { method: 'POST', headers: { 'X-SVC-Api-Key': key } });

  /** Speaks a sentence in the session of a session call, and returns the conversation. */
  async function speak(session: Response): Promise<Conversation> {
    assert.equal(session.status, 200);
    const conversation = await new Conversation(((await session.json()) as { url: string }).url).opened();
    conversation.say('Hello.');
    await conversation.message('context_done');
    return conversation;
  }

  describe('svc-service, as a process', () => {
    it('prints one line when it is ready, speaks, and ends with 0 on a signal', async () => {
      const program = new Program(['start', '--port', '0', '--data', 'memory'], {
        cwd,
        environment: { SVC_API_KEY: 'from-the-environment' },
        flags: COMPILED_ONCE,
      });
      const base = await program.ready();
      const conversation = await speak(await call(base, 'from-the-environment'));
      assert.ok(conversation.samples().length > 5000);
      program.child.kill('SIGTERM');
      assert.equal((await conversation.closed()).code, 1001);
      assert.deepEqual(await program.result(), { exitCode: 0, lines: [`ready ${base}`], errors: '' });
      assert.deepEqual(await readdir(cwd), []);
    });

    it('leaves data that the next start can use when it is killed', async () => {
      const first = new Program(['--port', '0'], {
        cwd,
        environment: { SVC_API_KEY: 'k', ...NOISE },
        flags: COMPILED_ONCE,
      });
      await first.ready();
      const [made] = await rows('keys create --user ada');
      first.child.kill('SIGKILL');
      assert.equal(await first.exit(), null);
      const second = start('--port 0', { SVC_API_KEY: 'k' });
      assert.equal((await call(await second.ready(), made!.key as string)).status, 200);
      assert.equal((await rows('keys list')).length, 2);
    });

    it('says what it does not understand on stderr, with exit code 2', async () => {
      const program = new Program(['--prot', '0'], { cwd });
      assert.equal(failureOf(await program.result(), 2), '--prot is not known; svc-service --help shows what is.');
    });
  });

  describe('svc-service', () => {
    it('makes a key if there is none, prints it once, not on stdout, and accepts it from then on', async () => {
      const first = start('--port 0');
      const base = await first.ready();
      first.signals.emit('SIGINT');
      const { errors, ...rest } = await first.result();
      assert.deepEqual(rest, { exitCode: 0, lines: [`ready ${base}`] });
      const [, key] = MADE_KEY.exec(errors)!;

      const second = start('--port 0');
      const again = await second.ready();
      assert.equal((await call(again, key!)).status, 200);
      assert.equal((await call(again, `${key}x`)).status, 401);
      assert.equal((await second.stop()).errors, '', 'it is neither made again nor shown');
      assert.deepEqual(await readdir(cwd), ['svc-service-data']);
    });

    it('takes commands while it runs, and what they do counts at once', async () => {
      const program = start('--port 0', { SVC_API_KEY: 'k' });
      const base = await program.ready();
      const [made] = await rows('keys create --user ada --plan starter --credits 0');
      const key = made!.key as string;
      assert.equal((await call(base, key)).status, 402, 'without credits');
      assert.deepEqual(await rows('credits add ada 60'), [{ user: 'ada', credits: 60 }]);
      await (await speak(await call(base, key))).close();
      await rows('keys create --user ada --plan none');
      assert.equal((await call(base, key)).status, 402, 'without a plan');
      await rows(`keys revoke ${String(made!.id)}`);
      assert.equal((await call(base, key)).status, 401, 'revoked');

      const ledger = await eventually('the socket is paid', async () => {
        const entries = await rows('ledger --user ada');
        return entries.at(-1)!.ms !== 0 && entries;
      });
      assert.deepEqual(
        ledger.map(({ kind, session }) => [kind, typeof session]),
        [
          ['grant', 'object'],
          ['usage', 'string'],
        ],
      );
      const left = (await rows('keys list')).find(({ id }) => id === made!.id)!.credits as number;
      const sum = ledger.reduce((total, { ms }) => total + (ms as number), 0);
      assert.equal(sum, Math.round(left * 1000));
      assert.ok(sum < 60_000 && sum > 0);
    });

    it('rotates secrets while it runs, without cutting anybody off, and shows no secret in the list', async () => {
      const program = start('--port 0', { SVC_API_KEY: 'k' });
      const base = await program.ready();
      const before = await call(base, 'k');
      const [session, room] = await rows('secrets rotate');
      assert.deepEqual([session!.name, room!.name], ['session-token', 'room-token']);
      assert.deepEqual(Object.keys(session!), ['name', 'kid', 'signs_at', 'expires_at']);
      assert.match(room!.secret as string, /^[\w-]{43}$/);
      const listed = await rows('secrets list');
      assert.deepEqual(
        listed.map(({ name, expires_at }) => [name, expires_at === null]),
        [
          ['room-token', false],
          ['room-token', true],
          ['session-token', false],
          ['session-token', true],
        ],
      );
      assert.doesNotMatch(JSON.stringify(listed), new RegExp(room!.secret as string));
      await (await speak(before)).close();
      await (await speak(await call(base, 'k'))).close();
      assert.match(
        await failure('secrets rotate', 1),
        /^room-token cannot be rotated: its new version svc\w+ does not sign/,
      );
    });

    it('does not rotate the key of a LiveKit server, and says where it is', async () => {
      const livekit = { SVC_LIVEKIT_KEY: 'APIx', SVC_LIVEKIT_SECRET: 'not-to-be-seen-not-to-be-seen-32' };
      await start('--port 0', { SVC_API_KEY: 'k', ...livekit }).ready();
      const message = await failure('secrets rotate room-token', 1);
      assert.match(message, /^room-token cannot be rotated: .* in SVC_LIVEKIT_SECRET \(key APIx\)\. Add another key/);
      assert.doesNotMatch(message, /not-to-be-seen/);
      assert.equal((await rows('secrets rotate')).length, 1);
      assert.deepEqual(
        (await rows('secrets list')).map(({ name }) => name),
        ['session-token', 'session-token'],
      );
    });

    it('refuses settings that it does not understand, with exit code 2', async () => {
      assert.match(await failure('start --port 0', 2, { SVC_TRUST_PROXY: '*' }), /^SVC_TRUST_PROXY must be .*, not \*/);
    });

    it('refuses a key that is too short, or was revoked, with exit code 2 and without repeating it', async () => {
      const short = await failure('start --port 0 --host 0.0.0.0', 2, { SVC_API_KEY: 'hush' });
      assert.match(
        short,
        /^A key of SVC_API_KEY has 4 characters\. It must have at least 32, .* openssl rand -hex 32$/,
      );
      assert.match(
        await failure('--port 0', 2, { SVC_API_KEY: 'k', SVC_PUBLIC_URL: 'https://speech.example' }),
        /1 char/,
      );
      assert.deepEqual(await readdir(cwd), []);
      const database = await openDatabase({ dataDir: 'svc-service-data' });
      const accounts = createAccounts(database);
      const { id, key } = await accounts.createKey();
      await accounts.revokeKey(id);
      await database.close();
      const revoked = await failure('--port 0', 2, { SVC_API_KEY: key });
      assert.match(revoked, new RegExp(`^SVC_API_KEY has a key that was revoked \\(${id}, .*: take it out\\.$`));
    });

    it('makes no key when its port is taken, so that the next start can show it', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      assert.match(
        await failure(`--port ${(other.address() as AddressInfo).port}`, 1),
        /^Cannot listen on port \d+ of 127\.0\.0\.1: it is in use\. .*\(EADDRINUSE\)$/,
      );
      other.close();
      const next = start('--port 0');
      await next.ready();
      assert.match((await next.stop()).errors, MADE_KEY);
    });

    it('refuses data that another process has, with exit code 1', async () => {
      await mkdir('svc-service-data');
      const release = await lockFolder(join(cwd, 'svc-service-data'));
      assert.match(await failure('--port 0', 1, { SVC_API_KEY: 'k' }), /svc-service-data is in use/);
      await release();
    });

    it('ends at once on a second signal', async () => {
      const program = start('--port 0 --data memory', { SVC_API_KEY: 'k' });
      const session = await call(await program.ready(), 'k');
      const conversation = await new Conversation(((await session.json()) as { url: string }).url).opened();
      conversation.send({ type: 'synthesize', context_id: 'endless', text: 'Hello.' });
      await conversation.until(({ kind }) => kind === 'frame');
      program.signals.emit('SIGTERM');
      assert.equal((await program.stop()).exitCode, 1);
      conversation.send({ type: 'end', context_id: 'endless' }); // lets it drain, because it continues in this process
      await conversation.closed();
    });

    it('ends on a signal while it starts', async () => {
      const result = await start('start --port 0').stop();
      assert.deepEqual([result.exitCode, result.lines], [0, []]);
    });

    it('prints its help', async () => {
      const { exitCode, lines } = await runMain('--help');
      assert.equal(exitCode, 0);
      assert.match(lines[0]!, /^Usage: svc-service \[start\] \[--port N\]/);
    });
  });
});
