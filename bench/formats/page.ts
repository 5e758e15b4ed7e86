/** The page of run.ts: runs the measurements and stores its table in `rows`. */
import { decodeAudio } from '../../src/launch/decode-audio.js';
import { encoded } from '../../test/page/support/encoded-audio.js';
import { median, rounded } from '../timing.js';

const RATE = 48_000;
const SECONDS = 60;
const RUNS = 9;
const TYPES = ['audio/mpeg', 'audio/aac', 'audio/ogg', 'audio/webm'];

const rows = [];
for (const type of TYPES) {
  const audio = { contentType: type, sampleRate: undefined, outputRate: 0 };
  const file = await encoded(type, voice(), RATE);
  const times: { ours: number; theirs: number }[] = [];
  for (let run = 0; run < RUNS; run++) {
    times.push({
      ours: await took(() => drain(decodeAudio(audio, streamOf(file)))),
      theirs: await took(() => new OfflineAudioContext(1, 1, RATE).decodeAudioData(file.slice().buffer)),
    });
  }
  rows.push({
    format: type,
    'a minute (ms)': rounded(median(times.map(({ ours }) => ours)), 0),
    'decodeAudioData (ms)': rounded(median(times.map(({ theirs }) => theirs)), 0),
    ratio: rounded(median(times.map(({ ours, theirs }) => ours / theirs)), 2),
    'of real time': `${rounded((median(times.map(({ ours }) => ours)) / (SECONDS * 1000)) * 100, 2)} %`,
  });
}
Object.assign(globalThis, { rows });

/** Returns harmonics of a varying pitch whose loudness changes four times a second. */
function voice(): Float32Array {
  let phase = 0;
  return Float32Array.from({ length: SECONDS * RATE }, (_, i) => {
    const time = i / RATE;
    phase += (2 * Math.PI * (140 + 30 * Math.sin(time))) / RATE;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic++) sum += Math.sin(harmonic * phase) / harmonic;
    return 0.2 * sum * (1 + Math.sin(8 * Math.PI * time));
  });
}

function streamOf(file: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= file.length) return controller.close();
      controller.enqueue(file.slice(at, (at += 16_384)));
    },
  });
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
