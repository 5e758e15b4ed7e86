/**
 * Measures the cost and quality of the resampler, compared with others: `npm run resampler --prefix bench`.
 *
 * Race: nanoseconds per output sample, and the ratio to ours, timed in turn: see `race`.
 * Quality: see `Quality`; dB, and fractions of the lower Nyquist frequency. Seams: output samples that are not
 * bit-identical when the stream is divided into blocks of random size.
 * Cost: see `OurCost`; also with several resamplers in the process.
 */
import { inOwnProcess } from '../own-process.js';
import type { OurCost } from './our-cost.js';
import type { Quality } from './quality.js';
import { race } from './race.js';
import { show } from '../show.js';

const CONTENDERS = [
  'ours',
  'ours, eco',
  'libsamplerate-js best',
  'libsamplerate-js medium',
  'libsamplerate-js fastest',
  'speex-resampler 7',
  'speex-resampler 10',
];
const RACES = [
  [24000, 48000],
  [24000, 44100],
  [48000, 44100],
] as const;
/** Minimum ratio to our time. */
const TARGET_RATIOS: Record<string, number> = { 'libsamplerate-js best': 12, 'libsamplerate-js fastest': 2 };

const PAIRS = [
  [24000, 48000],
  [24000, 44100],
  [22050, 48000],
  [16000, 48000],
  [8000, 96000],
  [48000, 44100],
  [24000, 44101],
] as const;
const TARGETS = { flatTo: 0.91, spurs: -100, aliases: -100, thdN: -110, latencyMs: 2.7, seams: 0 };
/**
 * The latency target applies at this input rate only: at others, our look-ahead has the same number of samples but
 * another duration.
 */
const TARGET_RATE = 24000;

/** Input rate, output rate, and number of resamplers in the process. */
const COSTS = [
  [24000, 48000, 1],
  [24000, 48000, 2],
  [24000, 48000, 8],
  [24000, 44100, 1],
  [24000, 44100, 8],
  [22050, 48000, 1],
  [16000, 44100, 1],
  [11025, 48000, 1],
  [8000, 96000, 1],
  [48000, 44100, 1],
  [96000, 48000, 1],
  [24000, 44101, 1],
  [48000, 48000, 1],
] as const;

const file = (name: string): string => new URL(name, import.meta.url).href;

const races = [];
for (const [from, to] of RACES) {
  for (const standing of await race(CONTENDERS, from, to)) {
    races.push({ from, to, ...standing, 'at least': TARGET_RATIOS[standing.contender] ?? null });
  }
}
show('resampler: race', races);

const quality = PAIRS.flatMap(([from, to], i) =>
  (i < 2 ? CONTENDERS : CONTENDERS.slice(0, 2)).map((contender) => {
    const rates = [String(from), String(to)];
    const figures = inOwnProcess(file('quality.ts'), [contender, ...rates]) as Quality;
    if (contender !== 'ours') return { from, to, contender, ...figures };
    const seams = inOwnProcess(file('seams.ts'), rates) as number;
    return { from, to, contender, ...figures, seams, targetsMet: meetsTargets({ ...figures, seams }, from) };
  }),
);
show('resampler: quality', quality);

const costs = COSTS.map(([from, to, count]) => ({
  from,
  to,
  count,
  ...(inOwnProcess(file('our-cost.ts'), [from, to, count].map(String)) as OurCost),
}));
show('resampler: cost', costs);

function meetsTargets({ flatTo, spurs, aliases, thdN, latencyMs, seams }: Quality & { seams: number }, from: number) {
  const clean = spurs <= TARGETS.spurs && (aliases ?? TARGETS.aliases) <= TARGETS.aliases && thdN <= TARGETS.thdN;
  const soon = from !== TARGET_RATE || latencyMs <= TARGETS.latencyMs;
  return flatTo >= TARGETS.flatTo && clean && soon && seams === TARGETS.seams;
}
