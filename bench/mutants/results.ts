import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ChosenMutant } from './choose-mutants.js';

/** Test that failed, by path; and the name of its case, or how the process ended. */
interface Killer {
  readonly stage: 'node' | 'page';
  readonly file: string;
  readonly test: string;
}

export interface MutantResult {
  readonly id: string;
  readonly room: string;
  /** Change in one line, for readers of the survivors. */
  readonly change: string;
  readonly killer?: Killer;
  /** Stages whose tests passed, all that reach the mutant; `node` without tests that do is `unreached`. */
  readonly survived: readonly ('node' | 'page')[];
  /** Number of test files of Node, and of runs of page tests, that reach it. */
  readonly reachedBy: { readonly node: number; readonly page?: number };
}

/** File of results: JSON with a line for each mutant, so that versions can be compared. */
export class Results {
  readonly #file: string;
  readonly #byId = new Map<string, MutantResult>();
  /** Test files that fail without a mutant, and why. They are not run. */
  excluded: string[] = [];

  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) return;
    const { excluded, mutants } = JSON.parse(readFileSync(file, 'utf8')) as {
      excluded: string[];
      mutants: MutantResult[];
    };
    this.excluded = excluded;
    for (const result of mutants) this.#byId.set(result.id, result);
  }

  get(id: string): MutantResult | undefined {
    return this.#byId.get(id);
  }

  get all(): MutantResult[] {
    return [...this.#byId.values()];
  }

  set(result: MutantResult): void {
    this.#byId.set(result.id, result);
    this.save();
  }

  save(): void {
    const lines = this.all.map((result) => JSON.stringify(result));
    const text = `{ "excluded": ${JSON.stringify(this.excluded)}, "mutants": [\n${lines.join(',\n')}\n]}\n`;
    writeFileSync(`${this.#file}.next`, text);
    renameSync(`${this.#file}.next`, this.#file);
  }
}

/** Number of mutants by room and outcome, with the sums of the package, of the service, and of both. */
export function tableOf(mutants: readonly ChosenMutant[], results: Results): string {
  const head = ['room', 'mutants', 'killed by node', 'killed by page', 'survived', 'not reached', 'not run'];
  const count = (name: string, chosen: readonly ChosenMutant[]): string[] => {
    const counts = { node: 0, page: 0, survived: 0, unreached: 0, open: 0 };
    for (const { id } of chosen) counts[outcomeOf(results.get(id))]++;
    return [name, ...[chosen.length, ...Object.values(counts)].map(String)];
  };
  const rooms = [...new Set(mutants.map(({ room }) => room))];
  const ofService = ({ room }: ChosenMutant): boolean => room.startsWith('service/');
  const rows = [
    ...rooms.map((room) =>
      count(
        room,
        mutants.filter((mutant) => mutant.room === room),
      ),
    ),
    count(
      'the package',
      mutants.filter((mutant) => !ofService(mutant)),
    ),
    count('the service', mutants.filter(ofService)),
    count('all', mutants),
  ];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Mutants that a test killed in an earlier run, and none in this one; and the counts of those that both have run. */
export function compare(before: Results, after: Results): string {
  const pairs = before.all.flatMap((earlier) => {
    const later = after.get(earlier.id);
    return later ? [{ earlier, later }] : [];
  });
  const killed = (results: readonly MutantResult[]): number => results.filter(({ killer }) => killer).length;
  const lost = pairs.filter(({ earlier, later }) => earlier.killer && !later.killer);
  return [
    `Of ${pairs.length} mutants in both runs, ${killed(pairs.map(({ earlier }) => earlier))} were killed before and ` +
      `${killed(pairs.map(({ later }) => later))} are now; ${before.all.length - pairs.length} of the earlier run are not in this one.`,
    ...lost.map(({ earlier }) => `Lost: ${earlier.change} (by ${earlier.killer!.file}: ${earlier.killer!.test})`),
    '',
  ].join('\n');
}

export function outcomeOf(result: MutantResult | undefined): 'node' | 'page' | 'survived' | 'unreached' | 'open' {
  if (!result) return 'open';
  if (result.killer) return result.killer.stage;
  return result.reachedBy.node + (result.reachedBy.page ?? 0) === 0 ? 'unreached' : 'survived';
}
