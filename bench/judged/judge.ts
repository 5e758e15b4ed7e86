import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createResampler, designResampler } from '../../src/dsp/index.js';
import { Random } from '../../src/testing/random.js';
import { mean } from '../playout/statistics.js';

/** Scores speech at `JUDGE_RATE` from 1 (bad) to 5 (excellent). */
export type Judge = (speech: Float32Array) => Promise<number>;

/** Sample rate of the model, in Hz. */
export const JUDGE_RATE = 16000;

/** Longer speech is scored in pieces of this length, because one gap in a minute does not change its score. */
const PIECE_SECONDS = 5;

/**
 * Loads a judge that is not part of this repository: `mos.ts`, which exports `plcmos`, and the model that it reads.
 * `mos.ts` can import `onnxruntime-web`, which is installed with the voice detector of the demo.
 *
 * @param noise - Root mean square, in int16 steps, of noise that is added to all speech. In digital silence, which no
 *   listener has, the scores depend on the last bits of its edges.
 * @throws {Error} If the folder has no such module.
 */
export async function loadJudge(folder: string, noise: number): Promise<Judge> {
  const file = join(folder, 'mos.ts');
  const fromDetector = createRequire(new URL('../../demo/talk-back/detector/package.json', import.meta.url));
  const onnx = pathToFileURL(fromDetector.resolve('onnxruntime-web')).href;
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(file).href) },
    plugins: [
      {
        name: 'onnx',
        setup: ({ onResolve }) => onResolve({ filter: /^onnxruntime-web$/ }, () => ({ path: onnx, external: true })),
      },
    ],
  });
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`;
  const { plcmos } = (await import(url)) as { plcmos: Judge };
  return async (speech) => {
    const random = new Random(1);
    const noisy = speech.map((sample) => sample + (noise * random.normal()) / 32768);
    const scores: number[] = [];
    const pieces = Math.max(1, Math.round(noisy.length / (PIECE_SECONDS * JUDGE_RATE)));
    const length = Math.ceil(noisy.length / pieces);
    for (let at = 0; at < noisy.length; at += length) scores.push(await plcmos(noisy.subarray(at, at + length)));
    return mean(scores);
  };
}

/** Resamples a whole recording to `JUDGE_RATE`. Returns int16 samples. */
export function toJudgeRate(speech: Int16Array, fromRate: number): Int16Array {
  const table = designResampler(fromRate, JUDGE_RATE);
  const resampler = createResampler(table, speech.length + table.taps);
  resampler.push(speech, 0, speech.length);
  resampler.pushSilence(resampler.latency);
  const out = new Float32Array(Math.ceil((speech.length * table.up) / table.down));
  resampler.pull(out, 0, out.length);
  return toInt16(out);
}

/** Rounds samples in [-1, 1] to int16. */
export function toInt16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32768))));
}

/** Scales int16 samples to [-1, 1). */
export function toFloat(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (value) => value / 32768);
}
