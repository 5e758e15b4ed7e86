import { createRequire } from 'node:module';
import { createResampler, designResampler, ecoResampler, type ResamplerOptions } from '../../src/dsp/index.js';
import { resampleDeep } from '../../test/unit/dsp/measure.js';

/** The other packages are CommonJS. */
const require = createRequire(import.meta.url);

/** A resampler of one stream, used as on a page. */
export interface Contender {
  /**
   * Resamples `count` samples of some signal, in the contender's own format, and returns the number of output samples.
   * For timing.
   */
  run(count: number): number;
  /** Resamples samples in [-1, 1) and returns the output. */
  process(samples: Float64Array): Float64Array;
  /** Resamples a whole signal in a separate stream. If it is missing, `process` is used. */
  whole?(signal: Float64Array): Float64Array;
}

/** Largest block passed to a contender, in samples. */
export const PIECE = 4096;

/** The contenders by name. Each is loaded on request; `race` explains why. */
export const contenders: Record<string, (from: number, to: number) => Promise<Contender>> = {
  ours: ours({}),
  'ours, eco': ours(ecoResampler),
  'libsamplerate-js best': viaLibsamplerate(0),
  'libsamplerate-js medium': viaLibsamplerate(1),
  'libsamplerate-js fastest': viaLibsamplerate(2),
  'speex-resampler 7': viaSpeex(7),
  'speex-resampler 10': viaSpeex(10),
};

function ours(options: ResamplerOptions) {
  return async (from: number, to: number): Promise<Contender> => {
    const table = designResampler(from, to, options);
    const resampler = createResampler(table, PIECE + table.taps);
    const input = Int16Array.from(tone(PIECE), (sample) => sample * 32768);
    const output = new Float32Array(outputs(from, to));
    const pull = (): number => resampler.pull(output, 0, output.length);
    return {
      run(count) {
        resampler.push(input, 0, count);
        return pull();
      },
      process(samples) {
        const steps = Int16Array.from(samples, (sample) => Math.round(sample * 32767));
        resampler.push(steps, 0, steps.length);
        return Float64Array.from(output.subarray(0, pull()));
      },
      // Treats the input as if it had more than 16 bits, like that of the others.
      whole: (signal) => resampleDeep(table, signal),
    };
  };
}

function viaLibsamplerate(converterType: 0 | 1 | 2) {
  return async (from: number, to: number): Promise<Contender> => {
    const libsamplerate =
      require('@alexanderolsen/libsamplerate-js') as typeof import('@alexanderolsen/libsamplerate-js');
    const resampler = await libsamplerate.create(1, from, to, { converterType });
    const input = Float32Array.from(tone(PIECE));
    const views = Array.from({ length: PIECE + 1 }, (_, count) => input.subarray(0, count));
    const output = new Float32Array(outputs(from, to));
    const length = { frames: 0 };
    return {
      run(count) {
        resampler.full(views[count]!, output, length);
        return length.frames;
      },
      process(samples) {
        resampler.full(Float32Array.from(samples), output, length);
        return Float64Array.from(output.subarray(0, length.frames));
      },
    };
  };
}

function viaSpeex(quality: number) {
  return async (from: number, to: number): Promise<Contender> => {
    const { default: SpeexResampler } = require('speex-resampler') as typeof import('speex-resampler');
    await SpeexResampler.initPromise;
    const resampler = new SpeexResampler(1, from, to, quality);
    const input = Int16Array.from(tone(PIECE), (sample) => sample * 32768);
    const views = Array.from({ length: PIECE + 1 }, (_, count) => new Uint8Array(input.buffer, 0, 2 * count));
    return {
      run: (count) => resampler.processChunk(views[count]!).length / 2,
      process(samples) {
        const steps = Int16Array.from(samples, (sample) => Math.round(sample * 32767));
        const bytes = resampler.processChunk(new Uint8Array(steps.buffer));
        return Float64Array.from(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2), (x) => x / 32767);
      },
    };
  };
}

/** Returns the maximum number of outputs of a block, plus a margin. */
function outputs(from: number, to: number): number {
  return Math.ceil((PIECE * to) / from) + 1024;
}

function tone(samples: number): Float64Array {
  return Float64Array.from({ length: samples }, (_, i) => 0.5 * Math.sin(i / 3));
}
