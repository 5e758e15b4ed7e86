import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach } from 'node:test';
import { BUILT } from './built.js';
import type { ProgramResult } from './run-main.js';

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Options for {@link Program}. */
export interface ProgramOptions {
  /** Environment variables in addition to PATH. No others are passed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Working folder, in which the default data folder is created. */
  readonly cwd: string;
  /** File to run; by default, that of the built sources. */
  readonly cli?: string;
  /** Flags of Node and V8; by default none. */
  readonly flags?: readonly string[];
}

/** `svc-service` in a process of its own. It is killed after the test if it still runs. */
export class Program {
  readonly child: ChildProcess;
  /** Lines on stdout so far. */
  readonly lines: string[] = [];
  /** Everything on stderr so far. */
  errors = '';
  readonly #firstLine: Promise<string | null>;
  readonly #result: Promise<ProgramResult>;

  constructor(args: readonly string[], { environment = {}, cwd, cli = `${BUILT}cli.js`, flags = [] }: ProgramOptions) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [...flags, cli, ...args], { cwd, env: { PATH, ...environment } });
    running.add(this.child);
    this.#result = once(this.child, 'close').then(([exitCode]) => {
      running.delete(this.child);
      return { exitCode: exitCode as number | null, lines: this.lines, errors: this.errors };
    });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    const lines = createInterface({ input: this.child.stdout! });
    lines.on('line', (line) => this.lines.push(line));
    this.#firstLine = Promise.race([
      once(lines, 'line').then(([line]) => line as string),
      this.#result.then(() => null),
    ]);
  }

  /** Resolves with the URL in the ready line. */
  async ready(): Promise<string> {
    const line = await this.#firstLine;
    const match = /^ready (http:\/\/\S+\/)$/.exec(line ?? '');
    assert.ok(match, `${line}\n${this.errors}`);
    return match[1]!;
  }

  /**
   * Resolves with the first match in its output on stderr.
   *
   * @throws {AssertionError} If it ends without one.
   */
  async complaint(pattern: RegExp): Promise<RegExpExecArray> {
    for (let hasEnded = false; ;) {
      const match = pattern.exec(this.errors);
      if (match) return match;
      assert.ok(!hasEnded, `It ended without ${pattern}: ${this.errors}`);
      const ended = this.#result.then(() => true);
      hasEnded = await Promise.race([once(this.child.stderr!, 'data').then(() => false), ended]);
    }
  }

  /** Resolves when it has ended and all of its output has been read. */
  result(): Promise<ProgramResult> {
    return this.#result;
  }

  /** Resolves with its exit code when it has ended; `null` if it was killed. */
  async exit(): Promise<number | null> {
    return (await this.#result).exitCode;
  }
}
