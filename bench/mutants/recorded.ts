import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Mutants that each test file of a stage reaches, or why it is excluded; in a file, for later runs on the same tree. */
export class Recorded<Test> {
  readonly #path: string;
  readonly #entries: Record<string, Test | string>;

  /** @param path - File of JSON; absent before the first run. */
  constructor(path: string) {
    this.#path = path;
    this.#entries = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Test | string>) : {};
  }

  has(name: string): boolean {
    return name in this.#entries;
  }

  /** @param entry - A text is the reason why the test fails without a mutant. */
  set(name: string, entry: Test | string): void {
    this.#entries[name] = entry;
    writeFileSync(this.#path, JSON.stringify(this.#entries));
  }

  get tests(): Test[] {
    return Object.values(this.#entries).filter((entry): entry is Test => typeof entry !== 'string');
  }

  get excluded(): string[] {
    return Object.values(this.#entries).filter((entry): entry is string => typeof entry === 'string');
  }
}
