import { designResampler, ecoResampler, type ResamplerTable } from '../dsp/index.js';
import type { ResamplerQuality } from './playout-settings.js';

/** A table is some 100 kB to 4 MB; the processors that use one keep it, whether or not it is still known here. */
const CAPACITY = 8;

/** By pair of rates, quality and kind of memory; the one used last comes last. */
const tables = new Map<string, ResamplerTable>();

/**
 * A table for a processor's resampler: made here, off the audio thread, once for all speakers of the page as long as it
 * is one of the last few in use.
 *
 * Main thread. Takes some milliseconds for a table that is not known.
 *
 * @param fromRate - In Hz, an integer from 4000 to 384000; so is `toRate`.
 * @param shared - All processors are to read the same memory, which takes an isolated page; else each gets a copy.
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
