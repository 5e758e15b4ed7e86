import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { main } from '../../src/main.js';
import { compiledOnce } from './webassembly.js';

const runOnce = compiledOnce(main);

/** Output and exit code of a run of `svc-service`. */
export interface ProgramResult {
  /** `null` if it was killed. */
  readonly exitCode: number | null;
  /** Lines on stdout. */
  readonly lines: readonly string[];
  /** Everything on stderr. */
  readonly errors: string;
}

/** `svc-service start` in this process. */
export class RunningMain {
  /** Emits the signals that the run listens to, in place of the signals of this process. */
  readonly signals = new EventEmitter();
  readonly #result: Promise<ProgramResult>;
  readonly #stdout = new PassThrough();
  readonly #stderr = new PassThrough();
  #output = '';
  #errors = '';

  /** Starts a run like {@link runMain}. */
  constructor(line: string, environment: Readonly<Record<string, string>> = {}) {
    this.#stdout.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    const { signals } = this;
    const streams = { stdout: this.#stdout, stderr: this.#stderr };
    this.#result = runOnce(line.split(' '), { environment, ...streams, signals }).then(async (exitCode) => {
      for (const stream of [this.#stdout, this.#stderr]) await once(stream.end(), 'end');
      return { exitCode, lines: this.#output.split('\n').slice(0, -1), errors: this.#errors };
    });
  }

  /** Resolves with the URL in the ready line, with a trailing slash. */
  async ready(): Promise<string> {
    while (!this.#output) {
      const result = await Promise.race([once(this.#stdout, 'data').then(() => null), this.#result]);
      if (result) throw new Error(`It ended with ${result.exitCode}: ${result.errors}`);
    }
    return /^ready (http:\/\/\S+\/)\n$/.exec(this.#output)![1]!;
  }

  /** Resolves when it has ended. */
  result(): Promise<ProgramResult> {
    return this.#result;
  }

  /** Stops it as SIGTERM does. */
  stop(): Promise<ProgramResult> {
    this.signals.emit('SIGTERM');
    return this.#result;
  }
}

/**
 * Runs `svc-service` in this process, in the current folder.
 *
 * @param line - Command line without the program's name. Words are separated by single spaces.
 * @param environment - Complete environment of the run.
 */
export function runMain(line: string, environment: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
  return new RunningMain(line, environment).result();
}

/** Returns the objects that a run printed, one per line. Asserts that it succeeded. */
export function rowsOf({ exitCode, lines, errors }: ProgramResult): Record<string, unknown>[] {
  assert.deepEqual([exitCode, errors], [0, '']);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the one line in which a run reports its failure. Asserts that it ended with this exit code. */
export function failureOf({ exitCode, lines, errors }: ProgramResult, expectedCode: number): string {
  assert.equal(exitCode, expectedCode, errors);
  assert.match(errors, /^[^\n]+\n$/);
  assert.deepEqual(lines, []);
  return errors.trimEnd();
}
