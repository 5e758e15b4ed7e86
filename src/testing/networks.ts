import { Random } from './random.js';

/**
 * A way from the service to the page, by what it does to one message after the other: from when a message is sent to when
 * it would come in if it were alone, both in milliseconds since the socket was opened. None overtakes the one before it.
 */
export type Network = (sentMs: number) => number;

/** Instants from and to which whatever would come in is held back. */
interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** For so long, stalls are drawn ahead. */
const HORIZON_MS = 120_000;

/**
 * The networks by name. Delays are one-way; the numbers are those of research on streamed speech over TCP. What each does
 * depends on the seed alone, and on when what is sent.
 */
export const networks = {
  /** 15 ms and up to 3 ms more. */
  lan: (random) => (sent) => sent + 15 + random.uniform(0, 3),
  /** 2 ms and some more; 1.8 stalls a minute of 100 to 300 ms. */
  wifi: (random) => wifi(random, 1.8),
  /** The same with nine stalls a minute. */
  'busy-wifi': (random) => wifi(random, 9),
  /**
   * 2 ms and some more, and two stalls a second of 30 to 90 ms: what a jitter buffer of 120 ms is there for. Nothing of it is
   * to be heard.
   */
  stalls: (random) => wifi(random, 120, [30, 90]),
  /** 30 ms that wander, in grants of 10 ms; a stall of 80 to 250 ms every 20 s. */
  lte: mobile,
  /** A queue of 350 ms that fills and drains every 10 s. */
  bufferbloat: (random) => bufferbloat(random),
  /** A round trip of 80 ms; losses, in runs, are mended after 140 or 280 ms. */
  losses: lossy,
  /** 300 to 900 kbit/s, another rate each second, for speech of 407 kbit/s. */
  'slow-link': slowLink,
  /** Nothing comes in from 10 s to 10.4 s, and nothing else happens. */
  outage: () => (sent) => (sent > 10_000 && sent < 10_400 ? 10_400 : sent),
} satisfies Record<string, (random: Random) => Network>;

/** Name of a network. */
export type NetworkName = keyof typeof networks;

/**
 * Makes a network.
 *
 * @param seed - An integer; the same one does the same.
 * @throws {Error} If there is none of this name.
 */
export function makeNetwork(name: NetworkName, seed: number = 1): Network {
  if (!Object.hasOwn(networks, name)) {
    throw new Error(`There is no network "${name}"; there are ${Object.keys(networks).join(', ')}.`);
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
    // What has queued up leaves one message per half millisecond.
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
    // The first queue builds up when play has well begun.
    const at = (sent + 7000) % 10_000;
    let queue = 0;
    if (at < 2000) queue = (350 * at) / 2000;
    else if (at < 3500) queue = 350;
    else if (at < 4200) queue = (350 * (4200 - at)) / 700;
    return sent + 20 + queue + random.exponential(3);
  };
}

/** Losses in runs (E. N. Gilbert, 1960); a message lost comes after a fast retransmit, or after a timeout. */
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

/** Each message counts as 20 ms of speech at 24 kHz. */
function slowLink(random: Random): Network {
  const rates = [300, 420, 480, 600, 700, 900];
  const perSecond = Array.from({ length: 600 }, () => rates[random.below(rates.length)]!);
  const bits = 20 * 384 * 1.06;
  let free = 0;
  return (sent) => {
    free = Math.max(free, sent);
    // kbit/s are bits per millisecond; a message may take until the next second, which has a rate of its own.
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

/** When something comes in that would have come at `atMs`, if it must wait for the end of any stall it meets. */
function pastStalls(atMs: number, stalls: readonly Stall[]): number {
  for (const { fromMs, toMs } of stalls) if (atMs >= fromMs && atMs < toMs) return toMs;
  return atMs;
}
