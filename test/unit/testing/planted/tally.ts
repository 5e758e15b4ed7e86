import { clicksOf, gapsOf, type Heard, matchOf, soundOf } from '../../../../src/testing/analysis.js';
import { Random } from '../../../../src/testing/random.js';
import type { Sound } from '../../../../src/testing/index.js';
import { type Clean, type Kind, makeClean } from './clean.js';
import type { Fault, Finder } from './faults.js';

/** Largest distance of a found place from the fault, in seconds. */
const NEAR = 0.02;

/** Shortest gap that is searched for, in seconds, and lowest signal-to-noise ratio, in dB. */
const GAP = 0.005;
const SNR = 40;

/** A missed fault or a false alarm, with the seed and kind that reproduce its recording. */
export interface Wrong {
  readonly seed: number;
  readonly kind: Kind;
  readonly what: string;
}

/** Returns the places that an analysis finds, in samples. */
function find(by: Finder, heard: Heard, sent: Sound): { from: number; to: number }[] {
  if (by === 'clicks') return clicksOf(heard, sent).map(({ at }) => ({ from: at, to: at }));
  if (by === 'gaps') return gapsOf(heard, sent, GAP);
  const match = matchOf(heard, sent, SNR);
  if (match.bad) return [match.bad];
  return match.snr < SNR || match.gain < 0 ? [soundOf(heard)] : [];
}

/** Plants a fault into `count` recordings. Returns those in which it is not found, or only elsewhere. */
export function missesOf(
  fault: Fault,
  voices: readonly Int16Array[],
  count: number,
  seed: number,
  longest: number,
): Wrong[] {
  const misses: Wrong[] = [];
  for (let i = 0; i < count; i++) {
    const kind = fault.in[i % fault.in.length]!;
    const { clean, random } = cleanFor(fault, voices, kind, seed + i, longest);
    const { heard, from, to } = fault.plant(clean, random);
    const near = NEAR * heard.sampleRate;
    const places = find(fault.by, heard, clean.sent);
    if (places.some((place) => Math.abs(place.from - from) <= near || (place.from >= from && place.from <= to + near)))
      continue;
    const named = places.slice(0, 4).map((place) => (place.from / heard.sampleRate).toFixed(3));
    const what = `it is at ${(from / heard.sampleRate).toFixed(3)} s; found: ${named.join(', ') || 'nothing'}`;
    misses.push({ seed: seed + i, kind, what });
  }
  return misses;
}

/** Returns a recording in which a fault can be planted: of the right material, and long enough. */
export function cleanFor(
  { material, least }: Pick<Fault, 'material' | 'least'>,
  voices: readonly Int16Array[],
  kind: Kind,
  seed: number,
  longest: number,
): { clean: Clean; random: Random } {
  const random = new Random(seed);
  for (;;) {
    const clean = makeClean(voices, kind, random, longest);
    const { from, to } = soundOf(clean);
    if (to - from < least * clean.sampleRate) continue;
    if (material !== 'both' && clean.isTone !== (material === 'tone')) continue;
    return { clean, random };
  }
}

/** Returns the false alarms: everything that is found in `count` clean recordings. */
export function alarmsOf(
  voices: readonly Int16Array[],
  kind: Kind,
  count: number,
  seed: number,
  longest: number,
): Wrong[] {
  const alarms: Wrong[] = [];
  for (let i = 0; i < count; i++) {
    const { samples, sampleRate, sent } = makeClean(voices, kind, new Random(seed + i), longest);
    const isExact = kind === 'fixed' || kind === 'other player';
    const finders: Finder[] = isExact ? ['clicks', 'gaps', 'match'] : ['clicks', 'gaps'];
    for (const by of finders) {
      const places = find(by, { samples, sampleRate }, sent).map(({ from }) => (from / sampleRate).toFixed(3));
      if (places.length > 0) alarms.push({ seed: seed + i, kind, what: `${by} at ${places.slice(0, 4).join(', ')} s` });
    }
  }
  return alarms;
}
