import { createResampler, designResampler, type ResamplerTable } from '../../../src/dsp/index.js';
import { joinSamples } from './join-samples.js';
import { SimdFilter } from './simd-filter.js';

/** Maximum input processed at once, in seconds; longer input is split. */
const INPUT_SECONDS = 0.1;

/** Maximum number of cached filters. Clients use few different rates, and designing a filter takes milliseconds. */
const FILTERS_MAX = 16;

/**
 * Design of the filter. It has half the taps of the player's filter, because the service has a stream per socket, and a
 * stopband at -80 dB is below the voices' own noise. The passband ends at 0.84 of the lower Nyquist frequency (6.7 kHz
 * for a voice of 16 kHz); the stopband begins at that Nyquist frequency.
 */
const FILTER = { taps: 64, beta: 8, cutoff: 0.92 } as const;

const filters = new Map<string, ResamplerTable | SimdFilter>();

/** Converts a stream of samples from one rate to another. Any thread. */
export interface RateConverter {
  /** Consumes all of the input, and returns the output that is available. */
  convert(samples: Int16Array): Int16Array;
  /** Returns the rest at the end of the input; the next input begins a new stream. */
  flush(): Int16Array;
}

/**
 * Creates a converter. The output does not depend on how the input is split.
 *
 * @param fromRate - Rate of the input, in Hz, an integer from 4000 to 384000.
 * @param toRate - Rate of the output, likewise.
 */
export function createRateConverter(fromRate: number, toRate: number): RateConverter {
  if (fromRate === toRate) return { convert: (samples) => samples, flush: () => new Int16Array() };
  const filter = filterFor(fromRate, toRate);
  return filter instanceof SimdFilter ? withSimd(filter) : withoutSimd(filter);
}

function filterFor(fromRate: number, toRate: number): ResamplerTable | SimdFilter {
  const key = `${fromRate} ${toRate}`;
  const filter = filters.get(key) ?? designFilter(fromRate, toRate);
  filters.delete(key); // reinserted below, so that the least recently used filter is first
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

/** Converts between unusual rates, such as 16000 and 24001, that need more phases than the table has rows. */
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
