/**
 * Measures the effect of a contender on tones: `quality.ts <name> <from> <to>` prints a `Quality` as JSON. Values are
 * in dB, or in fractions of the lower of the two Nyquist frequencies.
 */
import { decibels, type Fit, fitSine, rms, sine } from '../../test/unit/dsp/measure.js';
import { rounded } from '../timing.js';
import { type Contender, contenders, PIECE } from './contenders.js';

export interface Quality {
  /** Frequency up to which the response is flat within 0.1 dB. */
  flatTo: number;
  /**
   * Everything except the tone, including images, in the worst case, relative to the tone; for tones up to 0.9 and up
   * to 0.997.
   */
  spursTo09: number;
  spurs: number;
  /** Remainder of tones from 1.02 on, in the worst case; null if there are none. */
  aliases: number | null;
  /** Distortion and noise of a tone of 1 kHz. */
  thdN: number;
  /** Length of the input after a sample before the sample is output, in milliseconds. */
  latencyMs: number;
}

const AMPLITUDE = 0.5;
const MEASURED = 2048;
/** Outputs ignored at both ends: more than the longest filter. */
const EDGE = 2048;

const [name = '', fromText = '', toText = ''] = process.argv.slice(2);
const from = Number(fromText);
const to = Number(toText);
const open = (): Promise<Contender> => contenders[name]!(from, to);
const nyquist = Math.min(from, to) / 2;

const quality: Quality = {
  flatTo: rounded(await flatTo(), 3),
  spursTo09: rounded(await worst(steps(0.0137, 0.9, 24)), 1),
  spurs: rounded(await worst(steps(0.0137, 0.997, 48)), 1),
  aliases: to < from ? rounded(await worst(steps(1.02, (0.99 * from) / 2 / nyquist, 24)), 1) : null,
  thdN: rounded(await distortion(), 1),
  latencyMs: rounded(await latency(), 2),
};
console.log(JSON.stringify(quality));

async function flatTo(): Promise<number> {
  let flat = 0;
  for (const place of steps(0.005, 0.995, 199)) {
    const { amplitude } = await measure(place * nyquist);
    if (Math.abs(decibels(amplitude / AMPLITUDE)) > 0.1) return flat;
    flat = place;
  }
  return flat;
}

async function worst(places: number[]): Promise<number> {
  let loudest = 0;
  for (const place of places) loudest = Math.max(loudest, (await measure(place * nyquist)).residual);
  return decibels((loudest * Math.SQRT2) / AMPLITUDE);
}

async function distortion(): Promise<number> {
  const { amplitude, residual } = await measure(1000);
  return decibels((residual * Math.SQRT2) / amplitude);
}

/** Fits a tone. Above the output's Nyquist frequency, all output is residual. */
async function measure(frequency: number): Promise<Fit> {
  const length = Math.ceil(((MEASURED + 2 * EDGE) * from) / to);
  const output = (await whole(sine(length, from, frequency, AMPLITUDE))).subarray(EDGE, EDGE + MEASURED);
  if (frequency >= to / 2) return { amplitude: 0, residual: rms(output) };
  return fitSine(output, frequency / to);
}

async function whole(signal: Float64Array): Promise<Float64Array> {
  const contender = await open();
  if (contender.whole) return contender.whole(signal);
  const output: number[] = [];
  for (let at = 0; at < signal.length; at += PIECE) output.push(...contender.process(signal.subarray(at, at + PIECE)));
  return Float64Array.from(output);
}

/** Feeds a click sample by sample, and counts the samples after it until its peak is output. */
async function latency(): Promise<number> {
  const contender = await open();
  const click = Math.round(from / 10);
  let fed = 0;
  let peak = 0;
  let fedAtPeak = 0;
  for (; fed < 2 * click; fed++) {
    for (const sample of contender.process(Float64Array.of(fed === click ? 1 : 0))) {
      if (Math.abs(sample) <= peak) continue;
      peak = Math.abs(sample);
      fedAtPeak = fed;
    }
  }
  return ((fedAtPeak - click) / from) * 1000;
}

function steps(first: number, last: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + ((last - first) * i) / (count - 1));
}
