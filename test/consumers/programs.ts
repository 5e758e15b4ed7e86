import { type ChildProcess, spawn } from 'node:child_process';
import { environment } from './consumers.js';

/** Programs that run beside a test. */
export class Programs {
  readonly #children: ChildProcess[] = [];

  /**
   * Starts a program in its own process group.
   *
   * @param variables - Environment variables, besides those of this process.
   * @returns Resolves with the match when the output matches `expected`.
   * @throws {Error} If the program ends before that.
   */
  start(
    folder: string,
    [program, ...args]: readonly [string, ...string[]],
    variables: Record<string, string>,
    expected: RegExp,
  ): Promise<RegExpExecArray> {
    const env = { ...environment(), ...variables };
    const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      let output = '';
      const take = (text: string): void => {
        output += text;
        const found = expected.exec(output);
        if (found) resolve(found);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      child.once('error', reject);
      child.once('close', (code) =>
        reject(new Error(`${program} ${args.join(' ')} ended with code ${code}:\n${output}`)),
      );
    });
  }

  /** Ends the programs, and those that they have started. */
  async end(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const closed = new Promise((resolve) => child.once('close', resolve));
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      }),
    );
  }
}
