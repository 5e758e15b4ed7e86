import { createResampler, designResampler, type ResamplerTable } from '../../../src/dsp/index.js';
import { joinSamples } from './join-samples.js';
import { SimdFilter } from './simd-filter.js';

/** Most input taken in at once, in seconds; longer input is taken in pieces. */
const INPUT_SECONDS = 0.1;

/** Filters that are kept: clients use a handful of rates, and designing one takes milliseconds. */
const FILTERS_MAX = 16;

/**
 * The filter: half the taps of a player's, since there is a stream per socket here, and 80 dB is below the voices' own
 * noise. Flat to 0.84 of the lower Nyquist frequency, 6.7 kHz for a voice of 16 kHz; stops at that frequency.
 */
const FILTER = { taps: 64, beta: 8, cutoff: 0.92 } as const;

const filters = new Map<string, ResamplerTable | SimdFilter>();

/** Takes a stream of samples from one rate to another. Any thread. */
export interface RateConverter {
  /** What can be made with these samples added; all of the input is used up. */
  convert(samples: Int16Array): Int16Array;
  /** The rest, when no more input comes; the next input begins a new stream. */
  flush(): Int16Array;
}

/**
 * Makes a converter. The same samples give the same output, however they are cut.
 *
 * @param fromRate - In Hz, an integer from 4000 to 384000.
 * @param toRate - Likewise.
 */
export function createRateConverter(fromRate: number, toRate: number): RateConverter {
  if (fromRate === toRate) return { convert: (samples) => samples, flush: () => new Int16Array() };
  const filter = filterFor(fromRate, toRate);
  return filter instanceof SimdFilter ? withSimd(filter) : withoutSimd(filter);
}

function filterFor(fromRate: number, toRate: number): ResamplerTable | SimdFilter {
  const key = `${fromRate} ${toRate}`;
  const filter = filters.get(key) ?? designFilter(fromRate, toRate);
  filters.delete(key); // put in again, so that the one that was not used for longest is the first
  filters.set(key, filter);
  if (filters.size > FILTERS_MAX) filters.delete(filters.keys().next().value!);
  return filter;
}

function designFilter(fromRate: number, toRate: number): ResamplerTable | SimdFilter {
  const table = designResampler(fromRate, toRate, FILTER);
  return table.phases === table.up ? new SimdFilter(table) : table;
}

function withSimd(filter: SimdFilter): RateConverter {
  let state = filter.start();
  return {
    convert: (samples) => filter.convert(state, samples),
    flush() {
      const rest = filter.convert(state, new Int16Array(filter.latency));
      state = filter.start();
      return rest;
    },
  };
}

/** For odd pairs of rates, such as 16000 and 24001, whose outputs lie at more places than a table has rows. */
function withoutSimd(table: ResamplerTable): RateConverter {
  const resampler = createResampler(table, Math.ceil(table.fromRate * INPUT_SECONDS) + table.taps);
  const take = (): Int16Array => {
    const pulled = new Float32Array(resampler.available());
    resampler.pull(pulled, 0, pulled.length);
    return toInt16(pulled);
  };
  return {
    convert(samples) {
      const parts: Int16Array[] = [];
      for (let from = 0; from < samples.length;) {
        const count = Math.min(samples.length - from, resampler.room);
        resampler.push(samples, from, count);
        from += count;
        parts.push(take());
      }
      return parts.length === 1 ? parts[0]! : joinSamples(parts);
    },
    flush() {
      resampler.pushSilence(resampler.latency);
      const rest = take();
      resampler.reset();
      return rest;
    },
  };
}

function toInt16(samples: Float32Array): Int16Array {
  const converted = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    converted[i] = Math.max(-32768, Math.min(32767, Math.round(samples[i]! * 32768)));
  }
  return converted;
}
