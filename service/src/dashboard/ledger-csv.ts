import type { LedgerRow } from '../account/ledger.js';

/** Columns of the file, as `LedgerRow` names them. */
const COLUMNS = ['id', 'user', 'kind', 'credits', 'ms', 'session', 'node', 'at', 'updated_at'] as const;

/** Start of a text that a spreadsheet would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes rows of the ledger as CSV (RFC 4180), one line per chunk; the first line has the names of the columns. */
export async function* writeLedgerCsv(rows: AsyncIterable<LedgerRow>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const row of rows) yield `${COLUMNS.map((name) => toCell(row[name])).join(',')}\r\n`;
}

function toCell(value: string | number | Date | null): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
