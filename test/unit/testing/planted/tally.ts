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

/** Returns a line for each missed fault or false alarm, for a message. */
export function describeWrong(wrong: readonly Wrong[]): string {
  return wrong.map(({ seed, kind, what }) => `  seed ${seed}, ${kind}: ${what}`).join('\n');
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
  for (let attempt = 0; ; attempt++) {
    const { clean, drawn } = recordingOf(voices, kind, seed, longest, attempt);
    const { from, to } = soundOf(clean);
    if (to - from < least * clean.sampleRate) continue;
    if (material !== 'both' && clean.isTone !== (material === 'tone')) continue;
    const random = new Random(seed);
    for (let i = 0; i < drawn; i++) random.unit();
    return { clean, random };
  }
}

/** A clean recording, and the number of random numbers that were drawn up to its end. */
interface Recording {
  readonly clean: Clean;
  readonly drawn: number;
}

/** Recordings that were made, by kind and seed: most faults are planted into the same ones. */
const kept = new Map<string, { readonly random: CountingRandom; readonly recordings: Recording[] }>();

/** Returns recording number `attempt` of a kind and a seed, which must not be changed. */
function recordingOf(
  voices: readonly Int16Array[],
  kind: Kind,
  seed: number,
  longest: number,
  attempt: number,
): Recording {
  const key = `${kind} ${seed}`;
  // The long run has a seed for each of many long recordings, which would take too much memory.
  if (attempt === 0 && longest > 1) kept.clear();
  const { random, recordings } = kept.get(key) ?? { random: new CountingRandom(seed), recordings: [] };
  kept.set(key, { random, recordings });
  for (let count = recordings.length; count <= attempt; count++) {
    const clean = makeClean(voices, kind, random, longest);
    recordings.push({ clean, drawn: random.drawn });
  }
  return recordings[attempt]!;
}

/** Random numbers that are counted, so that the sequence can be continued elsewhere. */
class CountingRandom extends Random {
  drawn = 0;

  override unit(): number {
    this.drawn++;
    return super.unit();
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
