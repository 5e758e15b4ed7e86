import { createRateConverter } from './rate-converter.js';

/**
 * Plays speech faster or slower, as a turntable does: its pitch goes up by `factor`, and so do its resonances, which is
 * why it is for small factors only; its length goes down by it.
 *
 * Pure; any thread.
 *
 * @param factor - More than 0; taken to the nearest hundredth, which is less than anyone hears.
 * @returns The samples themselves if the factor is 1.
 */
export function shiftPitch(samples: Int16Array, sampleRate: number, factor: number): Int16Array {
  const playedRate = Math.round((sampleRate * Math.round(factor * 100)) / 100);
  if (playedRate === sampleRate) return samples;
  const converter = createRateConverter(playedRate, sampleRate);
  const [first, rest] = [converter.convert(samples), converter.flush()];
  const shifted = new Int16Array(first.length + rest.length);
  shifted.set(first);
  shifted.set(rest, first.length);
  return shifted;
}
