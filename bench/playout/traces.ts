import { type Arrivals, inOrder } from './arrivals.js';
import { makeNetwork, type NetworkName, networks } from '../../src/testing/networks.js';
import { Random } from '../../src/testing/random.js';

/** A pattern of arrivals. */
export interface Trace {
  readonly name: string;
  /** Description for readers. */
  readonly what: string;
  /** Milliseconds of speech. */
  readonly speechMs: number;
  /** Maximum number of useful seeds. */
  readonly seedsMax: number;
  /** @param seed - From 1. */
  readonly arrivals: (seed: number) => Arrivals;
}

const MINUTE_MS = 60_000;

/** The ten traces of research on streamed speech over TCP, and simpler ones. Network delays are one-way. */
export const TRACES: readonly Trace[] = [
  trace('lan', 'live 20 ms frames, 15 + U(0, 3) ms', overNetwork('lan')),
  trace('ttsburst', '200 ms chunks made in lognormal(120 ms, 0.35), + 25 + Exp(3) ms', (random) =>
    generated(200, random, () => random.logNormal(120, 0.35)),
  ),
  trace('ttsslow', '80 ms chunks made in lognormal(66 ms, 0.15), 4 % take U(150, 350) ms', (random) =>
    generated(80, random, () => (random.unit() < 0.04 ? random.uniform(150, 350) : random.logNormal(66, 0.15))),
  ),
  trace('wifi', 'live 20 ms, 2 + Exp(1.5) ms; 1.8 stalls a minute of U(100, 300) ms', overNetwork('wifi')),
  trace('wifi5', 'the same with 9 stalls a minute', overNetwork('busy-wifi')),
  trace(
    'lte',
    'live 20 ms, 30 ms + AR(1), grants of 10 ms; a stall of U(80, 250) ms every U(15, 25) s',
    overNetwork('lte'),
  ),
  trace('bloat', 'live 20 ms behind a queue of 350 ms that fills and drains every 10 s', overNetwork('bufferbloat')),
  trace('rto', 'live 20 ms, RTT 80 ms, losses recovered after 140 ms or 280 ms', overNetwork('losses')),
  trace(
    'g3',
    'live 20 ms at 407 kbit/s over a link of 300 to 900 kbit/s, redrawn each second',
    overNetwork('slow-link'),
  ),
  trace('gpu80', 'live 80 ms frames, steps of lognormal(62 ms, 0.08), 2 % of U(120, 250) ms', gpu),
  drift('drift+', 'lan, the server 200 ppm fast', 1 - 200e-6),
  drift('drift-', 'lan, the server 200 ppm slow', 1 + 200e-6),
  steady('exact', 'live 20 ms frames, each on time', 1, 60_000),
  {
    name: 'outage',
    what: 'exact, but nothing comes in for 400 ms from 10 s on',
    speechMs: MINUTE_MS,
    seedsMax: Infinity,
    arrivals: () => live(20, makeNetwork('outage')),
  },
  steady('slow95', 'a producer at 0.95 of real time', 0.95, 60_000),
  steady('slow91', 'a producer at 0.91 of real time', 0.91, 60_000),
  steady('slow85', 'a producer at 0.85 of real time', 0.85, 60_000),
  steady('burst20', '40 s of speech at 20 times real time', 20, 40_000),
];

/** The eight traces that disturb playback. The targets use means over these. */
export const DISTURBED: readonly string[] = ['ttsslow', 'wifi', 'wifi5', 'lte', 'bloat', 'rto', 'g3', 'gpu80'];

/**
 * Traces whose speech is produced as fast as possible: queued speech was not late, so there is nothing to catch up
 * with.
 */
export const GENERATED: readonly string[] = ['ttsburst', 'ttsslow', 'slow95', 'slow91', 'slow85', 'burst20'];

function trace(name: string, what: string, make: (random: Random) => Arrivals): Trace {
  return { name, what, speechMs: MINUTE_MS, seedsMax: Infinity, arrivals: (seed) => make(new Random(seed)) };
}

/** Frames of 20 ms, produced in real time. */
function overNetwork(name: NetworkName): (random: Random) => Arrivals {
  return (random) => live(20, networks[name](random));
}

/** Frames produced in real time: frame `i` is available when its last sample has been spoken. */
function live(
  frameMs: number,
  arriveMs: (sent: number, i: number) => number,
  speechMs = MINUTE_MS,
  sourcePace = 1,
): Arrivals {
  return inOrder(speechMs / frameMs, frameMs, (i) => (i + 1) * frameMs * sourcePace, arriveMs, sourcePace);
}

/** Chunks produced one after the other, each as fast as possible. */
function generated(chunkMs: number, random: Random, makeMs: () => number): Arrivals {
  let made = 0;
  return inOrder(
    MINUTE_MS / chunkMs,
    chunkMs,
    () => (made += makeMs()),
    (sent) => sent + 25 + random.exponential(3),
    Number.NaN,
  );
}

function gpu(random: Random): Arrivals {
  let done = 0;
  return live(80, (sent) => {
    const step = random.unit() < 0.02 ? random.uniform(120, 250) : random.logNormal(62, 0.08);
    done = Math.max(done, sent) + step;
    return done + 15;
  });
}

function drift(name: string, what: string, sourcePace: number): Trace {
  const speechMs = 10 * MINUTE_MS;
  const arrivals = (seed: number): Arrivals => live(20, makeNetwork('lan', seed), speechMs, sourcePace);
  return { name, what, speechMs, seedsMax: 3, arrivals };
}

/** Frames of 20 ms at `speed` times real time, without jitter. */
function steady(name: string, what: string, speed: number, speechMs: number): Trace {
  const arrivals = (): Arrivals =>
    inOrder(
      speechMs / 20,
      20,
      (i) => ((i + 1) * 20) / speed,
      (sent) => sent,
      speed > 1 ? Number.NaN : 1 / speed,
    );
  return { name, what, speechMs, seedsMax: Infinity, arrivals };
}
