import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach } from 'node:test';
import { BUILT } from './built.js';

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** How {@link Program} is started. */
export interface ProgramOptions {
  /** Besides PATH; nothing else is passed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder in which it is called: its default data folder is made there. */
  readonly cwd: string;
  /** Its file; that of the built sources by default. */
  readonly cli?: string;
}

/** `svc-service`, run as a person runs it, with what it prints; one that is left is killed after each test. */
export class Program {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  errors = '';
  readonly #ready: Promise<string | null>;
  readonly #exit: Promise<number | null>;

  constructor(args: readonly string[], { environment = {}, cwd, cli = `${BUILT}cli.js` }: ProgramOptions) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [cli, ...args], { cwd, env: { PATH, ...environment } });
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

  /** Resolves with its exit code when it has ended and printed everything; `null` if it was killed. */
  exit(): Promise<number | null> {
    return this.#exit;
  }

  /** Resolves with the objects that it printed, a line each, when it has ended well. */
  async rows(): Promise<Record<string, unknown>[]> {
    const code = await this.exit();
    assert.deepEqual([code, this.errors], [0, '']);
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Resolves with the one line in which it says why it failed, when it has ended with this exit code. */
  async failure(exitCode: number): Promise<string> {
    const code = await this.exit();
    assert.equal(code, exitCode, this.errors);
    assert.match(this.errors, /^[^\n]+\n$/);
    assert.deepEqual(this.lines, []);
    return this.errors.trimEnd();
  }
}
