import type { Random } from '../../src/testing/random.js';

/** Fault of a TCP connection. */
export type ConnectionFault =
  | { readonly kind: 'none' }
  /** It is reset when the client has sent something. */
  | { readonly kind: 'refuse' }
  /** It is reset once the server has sent more than `bytes`. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** One direction passes nothing more after `bytes`, and neither side notices. */
  | { readonly kind: 'half'; readonly direction: 'up' | 'down'; readonly bytes: number }
  /** Each piece is late by up to `ms`. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Each piece passes in two halves, the second one `ms` later. Cuts messages in two. */
  | { readonly kind: 'split'; readonly ms: number }
  /** It reaches the server after the next connection of the link, or after `ms`. */
  | { readonly kind: 'reorder'; readonly ms: number };

/** How a connection is disturbed. */
export interface Disturbance {
  readonly fault: ConnectionFault;
  /** Bytes that it passes in a millisecond, in each direction. */
  readonly bytesPerMs: number;
}

export const NO_DISTURBANCE: Disturbance = { fault: { kind: 'none' }, bytesPerMs: Infinity };

/** Limits of `bytesPerMs` for slow connections. Speech takes 48 bytes for a millisecond of sound. */
const SLOW_BYTES_PER_MS = [40, 160] as const;

/** Most bytes after which a connection is cut: some sentences of speech. */
const BYTES_MAX = 200_000;

/** How often each fault occurs, relative to the others. Half-dead connections are rare because they wait for timeouts. */
const WEIGHTS: Record<ConnectionFault['kind'], number> = {
  none: 40,
  refuse: 6,
  cut: 18,
  half: 2,
  delay: 14,
  split: 10,
  reorder: 10,
};

const KINDS = (Object.entries(WEIGHTS) as [ConnectionFault['kind'], number][]).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind),
);

/** Chooses a disturbance. Half of the connections are slow, so that speech is on its way for some time. */
export function disturb(random: Random): Disturbance {
  const bytesPerMs = random.below(2) === 0 ? Infinity : random.uniform(...SLOW_BYTES_PER_MS);
  return { fault: chooseFault(random), bytesPerMs };
}

function chooseFault(random: Random): ConnectionFault {
  const kind = KINDS[random.below(KINDS.length)]!;
  // Handshakes and answers are short, so small numbers are as likely as large ones.
  const bytes = Math.floor(Math.exp(random.uniform(0, Math.log(BYTES_MAX))));
  switch (kind) {
    case 'cut':
      return { kind, bytes };
    case 'half':
      return { kind, bytes, direction: random.below(2) === 0 ? 'up' : 'down' };
    case 'delay':
      return { kind, ms: random.uniform(20, 1000) };
    case 'split':
      return { kind, ms: random.uniform(1, 150) };
    case 'reorder':
      return { kind, ms: random.uniform(100, 1500) };
    default:
      return { kind };
  }
}
