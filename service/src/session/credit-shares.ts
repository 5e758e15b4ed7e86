/** Credit that a socket reserves at a time while the account has little credit, in milliseconds. */
export const SLICE_MS = 1000;

/** Maximum part of the unreserved credit that the sockets of one call reserve together, or one slice each if more. */
const PART_MAX = 1 / 4;

/** Use of credit by one socket of this node. */
export interface CreditUse {
  /** Milliseconds of use that have not been charged. */
  readonly dueMs: number;
  /** Milliseconds reserved for the socket before the charge. */
  readonly reservedMs: number;
  /** True if it may reserve more: it is open and has a lease. */
  readonly reserves: boolean;
}

/** Credit assigned to one socket. */
export interface CreditShare {
  /** Milliseconds to take from the account's balance. */
  readonly chargedMs: number;
  /** Milliseconds reserved for the socket after the charge. Other sockets cannot use them. */
  readonly reservedMs: number;
}

/**
 * Returns the credit that each of `sockets` sockets reserves, in milliseconds: `freeMs / 4 / sockets`, at least
 * {@link SLICE_MS} and at most `mostMs`. With much credit, reservations are large, so heartbeats suffice. With little
 * credit, each socket reserves one slice, so that none holds credit that another lacks.
 *
 * @param freeMs - Unreserved credit.
 * @param mostMs - Maximum reservation, unless it is below a slice.
 */
export function reservation(freeMs: number, sockets: number, mostMs: number): number {
  return Math.max(SLICE_MS, Math.min(mostMs, Math.floor((freeMs * PART_MAX) / sockets)));
}

/**
 * Shares an account's credit among its sockets on one node. Charges what they have used, keeps the rest of their
 * reservations, and reserves more. Charges and reservations together never exceed `creditMs`.
 *
 * @param creditMs - Balance of the account minus the reservations of other sockets.
 * @param mostMs - Maximum reservation of a socket, unless it is below a slice.
 * @returns A share for each use, and the credit that remains for all sockets of the account.
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
  const shares = uses.map((_, index) => ({ chargedMs: charges[index]!, reservedMs: kept[index]! }));
  // Those that lack least come first, so that the others share what these leave.
  const inOrder = [...shares.keys()].filter((index) => uses[index]!.reserves).sort((a, b) => kept[b]! - kept[a]!);
  for (const index of inOrder) {
    const keptMs = kept[index]!;
    shares[index]!.reservedMs += take(Math.min(wantedMs - keptMs, Math.ceil(freeMs / waiting--)));
  }
  return { shares, freeMs };
}
