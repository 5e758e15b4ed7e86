import { designResampler, ecoResampler, type ResamplerTable } from '../dsp/index.js';
import type { ResamplerQuality } from './playout-settings.js';

/** Number of tables kept for reuse, 100 kB to 4 MB each. A processor always keeps the table that it uses. */
const CAPACITY = 8;

/** Tables by pair of rates, quality and kind of memory; the most recently used one is last. */
const tables = new Map<string, ResamplerTable>();

/**
 * Returns the table for a processor's resampler. All speakers of the page share it while it is one of the `CAPACITY`
 * most recently used tables.
 *
 * Main thread, because creating a table takes some milliseconds.
 *
 * @param fromRate - In Hz, an integer from 4000 to 384000.
 * @param toRate - As `fromRate`.
 * @param shared - If true, all processors read the same memory, which requires an isolated page. If false, each gets a
 *   copy.
 */
export function resamplerTable(
  fromRate: number,
  toRate: number,
  quality: ResamplerQuality,
  shared: boolean,
): ResamplerTable {
  const key = `${fromRate}:${toRate}:${quality}:${shared}`;
  let table = tables.get(key);
  if (!table) {
    table = designResampler(fromRate, toRate, quality === 'eco' ? ecoResampler : {});
    if (shared) {
      const coefficients = new Float64Array(new SharedArrayBuffer(table.coefficients.byteLength));
      coefficients.set(table.coefficients);
      table = { ...table, coefficients };
    }
  }
  tables.delete(key);
  tables.set(key, table);
  if (tables.size > CAPACITY) tables.delete(tables.keys().next().value!);
  return table;
}
