import { parentPort } from 'node:worker_threads';
import { joinSamples } from './join-samples.js';
import { createRateConverter, type RateConverter } from './rate-converter.js';

/** Samples of one stream to convert. */
export interface RatePart {
  readonly stream: number;
  /** Rates of the stream, in Hz; present in its first part only. */
  readonly rates?: readonly [from: number, to: number];
  /** Number of its samples in the batch. */
  readonly length: number;
  /** True for the last part: the rest of the stream is converted too. */
  readonly isLast: boolean;
}

/** A request to this thread: parts of any streams. The samples' buffer is transferred. */
export interface RateBatch {
  readonly parts: readonly RatePart[];
  readonly samples: Int16Array;
}

/** The answer: the output of each part, concatenated. The samples' buffer is transferred. */
export interface RateAnswer {
  readonly lengths: readonly number[];
  readonly samples: Int16Array;
}

const port = parentPort!;
const converters = new Map<number, RateConverter>();

port.on('message', ({ parts, samples }: RateBatch) => {
  const made: Int16Array[] = [];
  let at = 0;
  for (const part of parts) {
    made.push(convert(part, samples.subarray(at, at + part.length)));
    at += part.length;
  }
  const joined = joinSamples(made);
  const answer: RateAnswer = { lengths: made.map(({ length }) => length), samples: joined };
  port.postMessage(answer, [joined.buffer]);
});

function convert({ isLast, rates, stream }: RatePart, samples: Int16Array): Int16Array {
  if (rates) converters.set(stream, createRateConverter(...rates));
  const converter = converters.get(stream)!;
  const converted = converter.convert(samples);
  if (!isLast) return converted;
  converters.delete(stream);
  return joinSamples([converted, converter.flush()]);
}
