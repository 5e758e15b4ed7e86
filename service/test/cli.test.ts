import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { createInterface } from 'node:readline';
import { BUILT } from './support/built.js';
import { Conversation } from './support/conversation.js';

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** `svc-service`, run as a person runs it, with what it prints. */
class Program {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  errors = '';
  readonly #ready: Promise<string | null>;
  readonly #exit: Promise<number | null>;

  constructor(args: string[], environment: Record<string, string> = {}) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [`${BUILT}cli.js`, ...args], { env: { PATH, ...environment } });
    running.add(this.child);
    this.#exit = once(this.child, 'close').then(([code]) => {
      running.delete(this.child);
      return code as number | null;
    });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    const lines = createInterface({ input: this.child.stdout! });
    lines.on('line', (line) => this.lines.push(line));
    this.#ready = Promise.race([once(lines, 'line').then(([line]) => line as string), this.#exit.then(() => null)]);
  }

  /** Resolves with the address of the ready line. */
  async ready(): Promise<string> {
    const line = await this.#ready;
    const match = /^ready (http:\/\/\S+\/)$/.exec(line ?? '');
    assert.ok(match, `${line}\n${this.errors}`);
    return match[1]!;
  }

  /** Resolves with the first match in what it printed on stderr. */
  async complaint(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.errors);
      if (match) return match;
      await once(this.child.stderr!, 'data');
    }
  }

  exit(): Promise<number | null> {
    return this.#exit;
  }
}

const call = (base: string, key: string): Promise<Response> =>
  fetch(`${base}api/v1/realtime/stream/session`, { method: 'POST', headers: { 'X-SVC-Api-Key': key } });

describe('svc-service', () => {
  it('prints one line when it is ready, and speaks', async () => {
    const program = new Program(['start', '--port', '0'], { SVC_API_KEY: 'from-the-environment' });
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
  });

  it('makes a key if there is none, and prints it once, not on stdout', async () => {
    const program = new Program(['--port', '0']);
    const base = await program.ready();
    program.child.kill('SIGINT');
    assert.equal(await program.exit(), 0);
    assert.equal(program.lines.length, 1);
    const keys = [...program.errors.matchAll(/key until this process ends is (\S{32})\n/g)];
    assert.equal(keys.length, 1, program.errors);
    assert.ok(!base.includes(keys[0]![1]!));
  });

  it('accepts the key that it made, and no other', async () => {
    const program = new Program(['--port', '0']);
    const base = await program.ready();
    const key = (await program.complaint(/ is (\S+)\n/))[1]!;
    assert.equal((await call(base, key)).status, 200);
    assert.equal((await call(base, 'another')).status, 401);
    program.child.kill('SIGTERM');
    await program.exit();
  });

  it('says what it does not understand, with exit code 2', async () => {
    const program = new Program(['--prot', '0']);
    assert.equal(await program.exit(), 2);
    assert.match(program.errors, /^--prot is not known\.[^]*Usage: svc-service/);
  });

  it('says that a port is taken, in one line, with exit code 1', async () => {
    const first = new Program(['--port', '0'], { SVC_API_KEY: 'k' });
    const { port } = new URL(await first.ready());
    const second = new Program(['--port', port], { SVC_API_KEY: 'k' });
    assert.equal(await second.exit(), 1);
    assert.match(second.errors, /^[^\n]*EADDRINUSE[^\n]*\n$/);
    first.child.kill('SIGTERM');
    await first.exit();
  });

  it('explains itself', async () => {
    const program = new Program(['--help']);
    assert.equal(await program.exit(), 0);
    assert.match(program.lines.join('\n'), /^Usage: svc-service \[start\] \[--port N\]/);
  });
});
