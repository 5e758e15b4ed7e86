import type { Heard } from '../../../../src/testing/analysis.js';
import type { Random } from '../../../../src/testing/random.js';
import { resampled, soundOf } from '../../../../src/testing/analysis.js';
import type { Clean, Kind } from './clean.js';

/** A recording with a fault. */
export interface Planted {
  readonly heard: Heard;
  /** Range of the fault, in samples of the recording. */
  readonly from: number;
  readonly to: number;
}

/** Analysis that can find a fault. */
export type Finder = 'clicks' | 'gaps' | 'match';

/** A fault that is planted into clean recordings. */
export interface Fault {
  readonly name: string;
  readonly by: Finder;
  /** Kinds of recordings in which it is planted. */
  readonly in: readonly Kind[];
  readonly material: 'speech' | 'tone' | 'both';
  /** Shortest sound in which it can be planted, in seconds. */
  readonly least: number;
  plant(clean: Clean, random: Random): Planted;
}

const EXACT = ['fixed', 'other player'] as const;

const FAULTS: Fault[] = [];

/** Adds a fault that changes a random part of the sound, whose length is `seconds` or in the range `seconds`. */
function local(
  name: string,
  by: Finder,
  seconds: number | readonly [number, number],
  change: (samples: Float32Array, from: number, to: number, random: Random, clean: Clean) => Float32Array | void,
  {
    kinds = EXACT,
    material = 'both',
    loud = true,
  }: { kinds?: readonly Kind[]; material?: Fault['material']; loud?: boolean } = {},
): void {
  const [low, high] = typeof seconds === 'number' ? [seconds, seconds] : seconds;
  FAULTS.push({
    name,
    by,
    in: kinds,
    material,
    least: high + 0.1,
    plant(clean, random) {
      const samples = clean.samples.slice();
      const length = Math.max(1, Math.round(random.uniform(low, high) * clean.sampleRate));
      const from = placeIn(clean, length, loud, random);
      const changed = change(samples, from, from + length, random, clean) ?? samples;
      return { heard: { samples: changed, sampleRate: clean.sampleRate }, from, to: from + length };
    },
  });
}

/** Adds a fault of the whole recording, or of its beginning or end. */
function whole(
  name: string,
  change: (clean: Clean, sound: { from: number; to: number }, random: Random) => Planted,
  {
    material = 'both',
    kinds = EXACT,
    least = 0.25,
  }: Partial<{ material: Fault['material']; kinds: readonly Kind[]; least: number }> = {},
): void {
  FAULTS.push({
    name,
    by: 'match',
    in: kinds,
    material,
    least,
    plant: (clean, random) => change({ ...clean, samples: clean.samples.slice() }, soundOf(clean), random),
  });
}

/**
 * Returns the start of a random part of the sound, at least 20 ms from its ends. If `loud`, no 5 ms of the part are
 * 20 dB softer than the whole, unless 1000 tries find no such part.
 */
function placeIn({ samples, sampleRate }: Clean, length: number, loud: boolean, random: Random): number {
  const sound = soundOf({ samples, sampleRate });
  const margin = 0.02 * sampleRate;
  const all = level(samples, sound.from, sound.to);
  const window = Math.round(0.005 * sampleRate);
  for (let tries = 0; ; tries++) {
    const from = Math.round(random.uniform(sound.from + margin, sound.to - margin - length));
    if (!loud || tries > 1000) return from;
    let least = Infinity;
    for (let at = from - window; at < from + length; at += window) {
      least = Math.min(least, level(samples, at, at + window));
    }
    if (least > all / 10) return from;
  }
}

function level(samples: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let i = from; i < to; i++) energy += samples[i]! ** 2;
  return Math.sqrt(energy / (to - from));
}

function joinParts(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const sign = (random: Random): number => (random.unit() < 0.5 ? -1 : 1);
const noiseAt = (db: number, random: Random): number => 10 ** (db / 20) * random.normal();

// Clicks: one sample, a step that decays, or a few samples.
for (const kinds of [EXACT, ['adaptive']] as const) {
  const where = kinds === EXACT ? '' : ', stretched';
  local(
    `click of 0.05 in speech${where}`,
    'clicks',
    0,
    (samples, at, _, random) => void (samples[at]! += 0.05 * sign(random)),
    { material: 'speech', loud: false, kinds },
  );
  local(
    `click of 0.02 in a tone${where}`,
    'clicks',
    0,
    (samples, at, _, random) => void (samples[at]! += 0.02 * sign(random)),
    { material: 'tone', kinds },
  );
  local(`click at full scale${where}`, 'clicks', 0, (samples, at) => void (samples[at] = 1), { loud: false, kinds });
}
local('click of 0.1 in speech, linear player', 'clicks', 0, (samples, at) => void (samples[at]! += 0.1), {
  material: 'speech',
  kinds: ['linear player'],
});
local('gap of silence, linear player', 'gaps', [0.02, 0.2], (samples, from, to) => void samples.fill(0, from, to), {
  kinds: ['linear player'],
});
local('step of 0.05', 'clicks', 0, (samples, at, _, random) => {
  const size = 0.05 * sign(random);
  for (let i = at; i < samples.length; i++) samples[i]! += size * Math.exp((at - i) / 500);
});
local(
  'four zero samples',
  'clicks',
  4 / 48_000,
  (samples, from, to, random) => {
    // Choose a position at which the samples are not near zero.
    let at = from;
    while (Math.abs(samples[at]!) < 0.06) at = from + random.below(400);
    samples.fill(0, at, at + to - from);
  },
  { material: 'tone' },
);

// Gaps: silence or near silence, which replaces sound or is inserted.
const fillings: [string, (samples: Float32Array, from: number, to: number, random: Random) => void][] = [
  ['silence', (samples, from, to) => void samples.fill(0, from, to)],
  [
    'noise at -70 dBFS',
    (samples, from, to, random) => {
      for (let i = from; i < to; i++) samples[i] = noiseAt(-70, random);
    },
  ],
  [
    'noise at -80 dBFS',
    (samples, from, to, random) => {
      for (let i = from; i < to; i++) samples[i] = noiseAt(-80, random);
    },
  ],
  [
    'sound 30 dB softer',
    (samples, from, to) => {
      for (let i = from; i < to; i++) samples[i]! *= 10 ** (-30 / 20);
    },
  ],
];
for (const [filling, fill] of fillings) {
  for (const kinds of [EXACT, ['adaptive']] as const) {
    const where = kinds === EXACT ? '' : ', stretched';
    local(
      `gap of ${filling}${where}`,
      'gaps',
      [0.02, 0.2],
      (samples, from, to, random) => fill(samples, from, to, random),
      { kinds },
    );
    if (filling === 'sound 30 dB softer') continue;
    local(
      `gap of ${filling} put in${where}`,
      'gaps',
      [0.02, 0.2],
      (samples, from, to, random) => {
        const longer = joinParts(samples.subarray(0, from), new Float32Array(to - from), samples.subarray(from));
        fill(longer, from, to, random);
        return longer;
      },
      { kinds },
    );
  }
}

// Wrong samples, found by comparison.
local(
  'dropped samples',
  'match',
  [0.0005, 0.005],
  (samples, from, to) => joinParts(samples.subarray(0, from), samples.subarray(to)),
  { material: 'speech' },
);
local(
  'dropped frame',
  'match',
  [0.02, 0.04],
  (samples, from, to) => joinParts(samples.subarray(0, from), samples.subarray(to)),
  { material: 'speech' },
);
local(
  'repeated frame',
  'match',
  [0.02, 0.04],
  (samples, from, to) => joinParts(samples.subarray(0, to), samples.subarray(from)),
  { material: 'speech' },
);
local('10 ms of nothing', 'match', 0.01, (samples, from, to) => void samples.fill(0, from, to));
local('10 ms backwards', 'match', 0.01, (samples, from, to) => void samples.subarray(from, to).reverse());
local('10 ms of noise', 'match', 0.01, (samples, from, to, random) => {
  const loud = level(samples, from, to);
  for (let i = from; i < to; i++) samples[i] = loud * random.normal();
});
local(
  'noise burst',
  'match',
  [0.02, 0.05],
  (samples, from, to, random) => {
    for (let i = from; i < to; i++) samples[i]! += noiseAt(-45, random);
  },
  { loud: false },
);
local(
  'late frame, in the place of another',
  'match',
  [0.02, 0.04],
  (samples, from, to) => {
    const length = to - from;
    const later = samples.slice(to, to + length);
    samples.set(samples.slice(from, to), to);
    samples.set(later, from);
  },
  { material: 'speech' },
);
local('softer from here on', 'match', 0.1, (samples, from, _, random) => {
  const gain = random.unit() < 0.5 ? 0.7 : 1.3;
  for (let i = from; i < samples.length; i++) samples[i]! *= gain;
});
local('offset from here on', 'match', 0.1, (samples, from, _, random) => {
  const offset = random.uniform(0.005, 0.05) * sign(random);
  for (let i = from; i < samples.length; i++) samples[i]! += offset;
});
local('inverted from here on', 'match', 0.1, (samples, from) => {
  for (let i = from; i < samples.length; i++) samples[i]! *= -1;
});

// Faults of the beginning, the end, or the whole recording.
whole(
  'lost head of 30 ms',
  ({ samples, sampleRate }, { from }) => {
    const to = from + Math.round(0.03 * sampleRate);
    samples.fill(0, from, to);
    return { heard: { samples, sampleRate }, from, to };
  },
  { material: 'speech' },
);
whole(
  'lost head of 30 ms, cut',
  ({ samples, sampleRate }, { from }) => {
    const head = Math.round(0.03 * sampleRate);
    const cut = joinParts(samples.subarray(0, from), samples.subarray(from + head));
    return { heard: { samples: cut, sampleRate }, from, to: from };
  },
  { material: 'speech' },
);
whole('lost tail of 60 ms', ({ samples, sampleRate }, { to }) => {
  const from = to - Math.round(0.06 * sampleRate);
  samples.fill(0, from);
  return { heard: { samples, sampleRate }, from, to };
});
whole('lost tail of 60 ms, at the end of the recording', ({ samples, sampleRate }, { to }) => {
  const from = to - Math.round(0.06 * sampleRate);
  return { heard: { samples: samples.slice(0, from), sampleRate }, from, to: from };
});
whole('wrong rate', ({ samples, sampleRate, sent }, { from, to }, random) => {
  const wrong = [22_050 / 24_000, 48 / 44.1, 44.1 / 48, 1.01, 0.99][random.below(5)]!;
  const played = resampled({ ...sent, sampleRate: Math.round(24_000 * wrong) }, sampleRate);
  const heard = joinParts(samples.subarray(0, from), played, new Float32Array(9600));
  return { heard: { samples: heard, sampleRate }, from, to };
});
whole(
  'wrong speed',
  ({ samples, sampleRate }, { from, to }) => {
    // Every 50 ms, 5 ms are left out with a cross-fade.
    const [step, cut] = [Math.round(0.05 * sampleRate), Math.round(0.005 * sampleRate)];
    const parts = [samples.subarray(0, from)];
    for (let at = from; at < to; at += step) {
      const part = samples.slice(at, at + step - cut);
      for (let i = 0; i < cut; i++) {
        const share = i / cut;
        part[part.length - cut + i] =
          part[part.length - cut + i]! * (1 - share) + (samples[at + step - cut + i] ?? 0) * share;
      }
      parts.push(part);
    }
    return { heard: { samples: joinParts(...parts, new Float32Array(9600)), sampleRate }, from, to: from + step };
  },
  { material: 'speech' },
);
whole('clipping', ({ samples, sampleRate }, { from, to }) => {
  let most = 0;
  for (let i = from; i < to; i++) most = Math.max(most, Math.abs(samples[i]!));
  const limit = most * 0.6;
  const first = samples.findIndex((sample) => Math.abs(sample) > limit);
  return {
    heard: { samples: samples.map((sample) => Math.max(-limit, Math.min(limit, sample))), sampleRate },
    from: first,
    to: samples.findLastIndex((sample) => Math.abs(sample) > limit),
  };
});
whole('offset', ({ samples, sampleRate }, { from, to }) => ({
  heard: { samples: samples.map((sample) => sample + 0.01), sampleRate },
  from: 0,
  to: Math.max(from, to),
}));
whole(
  'inverted',
  ({ samples, sampleRate }, { from, to }) => ({
    heard: { samples: samples.map((sample) => -sample), sampleRate },
    from,
    to,
  }),
  { material: 'speech' },
);
whole('dead right channel', ({ samples, sampleRate }, { from, to }) => {
  const right = new Float32Array(samples.length);
  return { heard: { samples: samples.map((sample) => sample / 2), channels: [samples, right], sampleRate }, from, to };
});
whole('inverted right channel', ({ samples, sampleRate }, { from, to }) => {
  const right = samples.map((sample) => -sample);
  return { heard: { samples: new Float32Array(samples.length), channels: [samples, right], sampleRate }, from, to };
});
whole(
  'overlap with what follows',
  ({ samples, sampleRate }, { from, to }) => {
    const middle = Math.round((from + to) / 2);
    const early = Math.round(0.1 * sampleRate);
    const mixed = joinParts(samples.subarray(0, middle), samples.subarray(middle + early));
    for (let i = 0; i < early; i++) mixed[middle - early + i] = samples[middle - early + i]! + samples[middle + i]!;
    const begin = middle - early;
    return { heard: { samples: mixed, sampleRate }, from: begin, to: middle };
  },
  { material: 'speech', least: 0.6 },
);
whole(
  'swapped halves',
  ({ samples, sampleRate }, { from, to }) => {
    const middle = Math.round((from + to) / 2);
    const swapped = joinParts(
      samples.subarray(0, from),
      samples.subarray(middle, to),
      samples.subarray(from, middle),
      samples.subarray(to),
    );
    return { heard: { samples: swapped, sampleRate }, from, to };
  },
  { material: 'speech', least: 0.6 },
);
whole('sound after the end', ({ samples, sampleRate }, { from, to }, random) => {
  const begin = to + Math.round(0.1 * sampleRate);
  const longer = joinParts(samples, new Float32Array(sampleRate));
  const late = Math.min(to - from, Math.round(random.uniform(0.03, 0.2) * sampleRate));
  longer.set(samples.subarray(from, from + late), begin);
  return { heard: { samples: longer, sampleRate }, from: begin, to: begin + late };
});

export { FAULTS };
