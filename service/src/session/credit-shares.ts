/** Credit that a socket reserves at a time while an account has little, in milliseconds. */
export const SLICE_MS = 1000;

/** A socket takes no more than this part of the credit that nobody has reserved, unless that is less than a slice. */
const PART_MAX = 1 / 4;

/** A socket of one node, as the sharing of its account's credit sees it. */
export interface CreditUse {
  /** Milliseconds of use that are not charged yet. */
  readonly dueMs: number;
  /** Milliseconds that are reserved for it, from what was charged last. */
  readonly reservedMs: number;
  /** Whether it may reserve more: it is open, and has a lease. */
  readonly reserves: boolean;
}

/** Credit of one socket. */
export interface CreditShare {
  /** Milliseconds to take from the account's balance. */
  readonly chargedMs: number;
  /** Milliseconds that are reserved for it after the charge: no other socket can use them. */
  readonly reservedMs: number;
}

/**
 * Credit that one of `sockets` sockets reserves, in milliseconds. Few reserve much, so that heartbeats suffice; while there
 * is little, each reserves a slice, so that none has credit that another one lacks.
 *
 * @param freeMs - Credit that nobody has reserved.
 * @param mostMs - Most that a socket reserves, if it is more than a slice.
 */
export function reservation(freeMs: number, sockets: number, mostMs: number): number {
  return Math.max(SLICE_MS, Math.min(mostMs, Math.floor((freeMs * PART_MAX) / sockets)));
}

/**
 * Shares an account's credit among its sockets on one node: charges what they have used, keeps what they have reserved, and
 * reserves more. Charges and reservations together are never more than `creditMs`.
 *
 * @param creditMs - The account's balance less what other sockets have reserved.
 * @param mostMs - Most that a socket reserves, if it is more than a slice.
 * @returns A share for each use, and what is left for all sockets of the account.
 */
export function shareCredit(
  creditMs: number,
  uses: readonly CreditUse[],
  mostMs: number,
): { readonly shares: CreditShare[]; readonly freeMs: number } {
  let freeMs = Math.max(0, creditMs);
  const take = (ms: number): number => {
    const taken = Math.max(0, Math.min(ms, freeMs));
    freeMs -= taken;
    return taken;
  };
  const charges = uses.map(({ dueMs }) => take(dueMs));
  const kept = uses.map(({ reservedMs, reserves }, index) => (reserves ? take(reservedMs - charges[index]!) : 0));
  let waiting = uses.filter(({ reserves }) => reserves).length;
  const wantedMs = reservation(freeMs, waiting, mostMs);
  const shares = uses.map(({ reserves }, index) => {
    const keptMs = kept[index]!;
    const moreMs = reserves ? take(Math.min(wantedMs - keptMs, Math.ceil(freeMs / waiting--))) : 0;
    return { chargedMs: charges[index]!, reservedMs: keptMs + moreMs };
  });
  return { shares, freeMs };
}
