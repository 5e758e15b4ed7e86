import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A test file on one kind of page: `isolated: test/page/smoke.test.ts`. */
export interface PageTestRun {
  readonly key: string;
  readonly ms: number;
  /** Numbers of the mutants that it reaches, in the page and in its threads. */
  readonly reached: readonly number[];
}

interface PageOutcome extends PageTestRun {
  readonly passed: boolean;
  readonly reason: string;
  readonly isLate: boolean;
}

/** Time limit of a run when its duration is not known, in milliseconds. */
const FIRST_LIMIT_MS = 300_000;

/** A browser that runs tests of pages, each time with another mutant. */
export class PageTests {
  /** All runs. */
  readonly keys: readonly string[];
  readonly #process: ChildProcess;

  static async start(tree: string): Promise<PageTests> {
    const child = fork(fileURLToPath(new URL('page-process.mjs', import.meta.url)), { cwd: tree, execArgv: [] });
    const [{ keys }] = (await once(child, 'message')) as [{ keys: string[] }];
    return new PageTests(child, keys);
  }

  private constructor(child: ChildProcess, keys: readonly string[]) {
    this.#process = child;
    this.keys = keys;
  }

  /** Runs the test files and records what they reach. */
  record(keys: readonly string[]): Promise<PageOutcome[]> {
    const limitsMs = Object.fromEntries(keys.map((key) => [key, FIRST_LIMIT_MS]));
    return this.#run({ active: null, limitsMs });
  }

  /** Runs test files with a mutant, or with none, and returns the outcome of the first that fails. */
  async firstFailure(active: number, tests: readonly PageTestRun[]): Promise<PageOutcome | undefined> {
    const limitsMs = Object.fromEntries(tests.map(({ key, ms }) => [key, 20_000 + 3 * ms]));
    const outcomes = await this.#run({ active, limitsMs });
    return outcomes.find(({ passed }) => !passed);
  }

  end(): void {
    this.#process.disconnect();
  }

  async #run(message: object): Promise<PageOutcome[]> {
    this.#process.send(message);
    const [answer] = (await once(this.#process, 'message')) as [{ outcomes?: PageOutcome[]; error?: string }];
    if (!answer.outcomes) throw new Error(`The process of page tests failed: ${answer.error}`);
    return answer.outcomes;
  }
}
