import { Random } from './random.js';

/**
 * A network path from the service to the page. Maps the time at which a message is sent to the time at which it would
 * arrive on its own, both in milliseconds since the socket was opened. Messages do not overtake each other.
 */
export type Network = (sentMs: number) => number;

/** An interval in which no message arrives, in milliseconds. */
interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Time for which stalls are generated in advance, in milliseconds. */
const HORIZON_MS = 120_000;

/**
 * The networks by name. Delays are one-way; the numbers come from research on streamed speech over TCP. The behaviour
 * depends only on the seed and on the times at which messages are sent.
 */
export const networks = {
  /** 15 ms plus up to 3 ms. */
  lan: (random) => (sent) => sent + 15 + random.uniform(0, 3),
  /** 2 ms plus a random delay; 1.8 stalls of 100 to 300 ms per minute. */
  wifi: (random) => wifi(random, 1.8),
  /** Like `wifi`, with nine stalls per minute. */
  'busy-wifi': (random) => wifi(random, 9),
  /**
   * 2 ms plus a random delay, and two stalls of 30 to 90 ms per second. A jitter buffer of 120 ms must cover these, so
   * that none is audible.
   */
  stalls: (random) => wifi(random, 120, [30, 90]),
  /** 30 ms with slow random changes, in grants of 10 ms; a stall of 80 to 250 ms about every 20 s. */
  lte: mobile,
  /** A queue of 350 ms that fills and drains every 10 s. */
  bufferbloat: (random) => bufferbloat(random),
  /** A round trip of 80 ms. Losses come in runs and are repaired after 140 or 280 ms. */
  losses: lossy,
  /** 300 to 900 kbit/s, changing every second, for speech of 407 kbit/s. */
  'slow-link': slowLink,
  /** Nothing arrives between 10 s and 10.4 s. There is no other delay. */
  outage: () => (sent) => (sent > 10_000 && sent < 10_400 ? 10_400 : sent),
} satisfies Record<string, (random: Random) => Network>;

/** Name of a network. */
export type NetworkName = keyof typeof networks;

/**
 * Creates a network.
 *
 * @param seed - An integer; the same seed gives the same behaviour.
 * @throws {Error} If there is no network of this name.
 */
export function makeNetwork(name: NetworkName, seed: number = 1): Network {
  if (!Object.hasOwn(networks, name)) {
    throw new Error(`There is no network "${name}". Use one of: ${Object.keys(networks).join(', ')}.`);
  }
  return networks[name](new Random(seed));
}

function wifi(random: Random, stallsPerMinute: number, [least, most]: readonly [number, number] = [100, 300]): Network {
  const stalls: Stall[] = [];
  for (let at = 0; at < HORIZON_MS;) {
    at += random.exponential(60_000 / stallsPerMinute);
    stalls.push({ fromMs: at, toMs: at + random.uniform(least, most) });
  }
  let last = 0;
  return (sent) => {
    // After a stall, queued messages arrive every half millisecond.
    last = Math.max(pastStalls(sent + 2 + random.exponential(1.5), stalls), last + 0.5);
    return last;
  };
}

function mobile(random: Random): Network {
  const stalls: Stall[] = [];
  for (let at = 0; at < HORIZON_MS;) {
    at += random.uniform(15_000, 25_000);
    stalls.push({ fromMs: at, toMs: at + random.uniform(80, 250) });
  }
  const rho = 0.9;
  let wander = 12 * random.normal();
  return (sent) => {
    wander = rho * wander + Math.sqrt(1 - rho ** 2) * 12 * random.normal();
    return Math.ceil(pastStalls(sent + Math.max(0, 30 + wander), stalls) / 10) * 10;
  };
}

function bufferbloat(random: Random): Network {
  return (sent) => {
    // The first queue builds up when playback is well under way.
    const at = (sent + 7000) % 10_000;
    let queue = 0;
    if (at < 2000) queue = (350 * at) / 2000;
    else if (at < 3500) queue = 350;
    else if (at < 4200) queue = (350 * (4200 - at)) / 700;
    return sent + 20 + queue + random.exponential(3);
  };
}

/** Losses in runs (E. N. Gilbert, 1960). A lost message arrives after a fast retransmit, or after a timeout. */
function lossy(random: Random): Network {
  const roundTrip = 80;
  let bad = false;
  return (sent) => {
    bad = random.unit() < (bad ? 0.33 : 0.0067);
    const plain = sent + roundTrip / 2;
    if (!bad) return plain;
    return plain + (random.unit() < 0.33 ? Math.max(200, 2 * roundTrip) + roundTrip : 3 * 20 + roundTrip);
  };
}

/** Treats each message as 20 ms of speech at 24 kHz. */
function slowLink(random: Random): Network {
  const rates = [300, 420, 480, 600, 700, 900];
  const perSecond = Array.from({ length: 600 }, () => rates[random.below(rates.length)]!);
  const bits = 20 * 384 * 1.06;
  let free = 0;
  return (sent) => {
    free = Math.max(free, sent);
    // kbit/s equals bits per millisecond. A message may last into the next second, which has its own rate.
    for (let left = bits; left > 0;) {
      const nextSecond = (Math.floor(free / 1000) + 1) * 1000;
      const rate = perSecond[(nextSecond / 1000 - 1) % perSecond.length]!;
      const fits = (nextSecond - free) * rate;
      free = left <= fits ? free + left / rate : nextSecond;
      left -= fits;
    }
    return free + 40;
  };
}

/** Returns the arrival time of a message that would arrive at `atMs`, delayed to the end of a stall. */
function pastStalls(atMs: number, stalls: readonly Stall[]): number {
  for (const { fromMs, toMs } of stalls) if (atMs >= fromMs && atMs < toMs) return toMs;
  return atMs;
}
