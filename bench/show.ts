import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { tableOf, writePart } from '../scripts/docs-parts.mjs';

/** Load of the machine before a benchmark, in processes. */
const loadBefore = loadavg()[0]!.toFixed(1);

/**
 * Prints rows as a table. With `SVC_WRITE=1` it also writes them into the pages of docs/ that have a part
 * `<!-- bench/NAME -->`, with the date, the version and the machine.
 *
 * @param name - Folder of the benchmark, and name of the table: `ring: calls`.
 * @param rows - At least one; the names of their members become the columns.
 * @param notes - Paragraphs below the table.
 */
export function show(name: string, rows: readonly Readonly<Record<string, unknown>>[], notes: readonly string[] = []) {
  const table = tableOf(rows);
  console.log(`\n${name}\n\n${table}`);
  if (process.env['SVC_WRITE'] !== '1') return;
  writePart(`bench/${name}`, [table, ...notes, `Measured ${whereAndWhen()}.`].join('\n\n'));
}

/** Returns the date, the version, and the machine with its load before, of a measurement. */
export function whereAndWhen(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', 'src', 'worklet', 'service/src') === '' ? '' : ', changed';
  const version = `${git('rev-parse', '--short=8', 'HEAD')}${changed}`;
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, load before ${loadBefore}`;
  return `${new Date().toISOString().slice(0, 10)} with ${version}, Node ${process.version.slice(1)}, ${machine}`;
}
