import { designResampler, type ResamplerTable } from '../../src/dsp/index.js';
import { SOURCE_RATE } from './arrivals.js';
import { OUTPUT_RATE } from './simulate.js';
import { makeSpeech, type Speech } from './speech.js';

/** Data that all runs share; can be posted to another thread. */
export interface Bench {
  readonly table: ResamplerTable;
  readonly speeches: readonly Speech[];
}

/**
 * @param taps - Filter length of the resampler.
 * @param voices - Number of voices; all by default.
 */
export async function makeBench(taps: number, voices?: number): Promise<Bench> {
  const table = designResampler(SOURCE_RATE, OUTPUT_RATE, { taps });
  return { table, speeches: await makeSpeech(table, voices) };
}
