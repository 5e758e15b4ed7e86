import type { Clock } from '../clock.js';
import type { LeaseClaim, LeaseGrant, LeaseRefusal, SocketCredit } from './lease-claims.js';
import type { LeaseStore, MeterReading, Settlement } from './lease-store.js';

/** Lifetime of a lease, in heartbeats: the slots of a node that died are free after this time. */
export const HEARTBEATS_PER_LEASE = 2;

/** Delay before retrying a settlement that failed or skipped a locked account, in milliseconds. */
const RETRY_MS = 500;

/** Time before the end of a socket's reserved credit at which more is requested, in milliseconds. */
const ASK_AHEAD_MS = 500;

/** Maximum delay before the meter is read again, in milliseconds, because timers have a maximum delay. */
const WATCH_MS = 60_000;

/** Identity of a socket that needs a lease. */
export type SocketOwner = Omit<LeaseClaim, 'node' | 'takesSlot'>;

/** Permission to have a socket open, with its meter. Main thread. */
export interface SocketLease {
  /** Releases the slot while the socket stays open. Resolves once other sockets can take it; never rejects. */
  freeSlot(): Promise<void>;
  /**
   * Takes the slot again. Resolves with false if none is free; never rejects. While the database is unreachable,
   * sockets continue as if they had a slot.
   */
  takeSlot(): Promise<boolean>;
  /** Stops the meter of a closed socket. Resolves once it is charged; never rejects. May be called more than once. */
  release(): Promise<void>;
}

/** Options of {@link SocketLeases}. */
export interface SocketLeasesOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Time between two heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /**
   * Maximum time to wait for a slot that is about to be free, in milliseconds: a client learns that its last socket is
   * closed before the database does. With 0, waits only for this node's pending settlements.
   */
  readonly graceMs: number;
  /** Name of this node. */
  readonly node: string;
  /** Receives errors of the database. The failed work is retried later. */
  readonly report: (error: unknown) => void;
  /** Called after each settlement with its duration and the amount charged, both in milliseconds. */
  readonly onSettled?: (durationMs: number, chargedMs: number) => void;
  /** Called after each failed settlement. */
  readonly onFailed?: () => void;
}

interface OpenSocket extends SocketOwner {
  readonly openedAt: number;
  closedAt: number | null;
  /** True while there is a lease. A lease that was not renewed in time is lost. */
  isLeased: boolean;
  /** True if the socket needs a slot; `holdsSlot` is true if it has one. */
  wantsSlot: boolean;
  holdsSlot: boolean;
  /** Last charged reading of its meter, in milliseconds. */
  chargedMs: number;
  /** Reading of its meter at which its credit ends, in milliseconds. */
  lastsUntilMs: number;
  /** Cancels the timer that handles the end of its credit. */
  cancelWatch: () => void;
  /** Pending operations on its lease, which run one after the other. */
  work: Promise<void>;
  /** Functions to call once it is charged. */
  readonly onPaid: (() => void)[];
  readonly onRefused: (refusal: LeaseRefusal) => void;
}

/**
 * The leases of this node's sockets.
 *
 * Each heartbeat reads all meters, charges the readings, and renews the leases and their reserved credit. Between
 * heartbeats only closed sockets, and the sockets of accounts with a nearly used-up reservation, are settled. A socket
 * is closed once it has no credit left.
 *
 * While the database is unreachable, meters continue, and are charged once it is back. Until then a socket may use the
 * credit that its last settlement reported.
 */
export class SocketLeases {
  readonly #options: SocketLeasesOptions;
  readonly #sockets = new Map<string, OpenSocket>();
  #cancelBeat = (): void => {};
  #beatAt = Infinity;
  /** Chain of settlements, which run one after the other. */
  #settled: Promise<void> = Promise.resolve();
  /** True while a settlement between heartbeats is queued. */
  #settlesSoon = false;
  /** Accounts to settle before the next heartbeat: short of reserved credit, or locked at the last attempt. */
  readonly #dueAccounts = new Set<string>();
  /** Accounts that were locked, until it is time for the next attempt. */
  readonly #lockedAccounts = new Set<string>();
  /** Cancels the timer of that attempt; null if there is none. */
  #cancelRetry: (() => void) | null = null;
  #closed = false;

  constructor(options: SocketLeasesOptions) {
    this.#options = options;
  }

  /** Number of sockets that are open or not fully charged. */
  get size(): number {
    return this.#sockets.size;
  }

  /**
   * Acquires a lease. The meter starts once the lease is granted, so waiting for a slot costs nothing.
   *
   * @param onRefused - Called if the socket must be closed later. Not called after its release.
   * @returns A lease, or the reason why there is none.
   * @throws Errors of the database.
   */
  async acquire(owner: SocketOwner, onRefused: (refusal: LeaseRefusal) => void): Promise<SocketLease | LeaseRefusal> {
    const grant = await this.#claimPatiently(owner);
    if (!grant.granted) return grant.refusal;
    const socket: OpenSocket = {
      ...owner,
      openedAt: this.#options.clock.elapsed(),
      closedAt: null,
      isLeased: true,
      wantsSlot: true,
      holdsSlot: true,
      chargedMs: 0,
      lastsUntilMs: 0,
      cancelWatch: () => {},
      work: Promise.resolve(),
      onPaid: [],
      onRefused,
    };
    this.#sockets.set(owner.sessionId, socket);
    this.#fund(socket, 0, grant);
    this.#beatWithin(Infinity);
    return {
      freeSlot: () => this.#freeSlot(socket),
      takeSlot: () => this.#takeSlot(socket),
      release: () => this.#release(socket),
    };
  }

  /**
   * Ends every lease as if all sockets were closed now, and stops.
   *
   * @returns Resolves once everything is charged, or `signal` is aborted.
   */
  async close(signal: AbortSignal): Promise<void> {
    const paid = Promise.all([...this.#sockets.values()].map((socket) => this.#release(socket)));
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (!signal.aborted) await Promise.race([paid, aborted]);
    this.#closed = true;
    this.#cancelBeat();
    this.#cancelRetry?.();
  }

  async #claimPatiently(owner: SocketOwner, takesSlot = true): Promise<LeaseGrant> {
    const { clock, graceMs, node, store } = this.#options;
    const claim = (): Promise<LeaseGrant> => store.claim({ ...owner, node, takesSlot });
    let grant = await claim();
    for (const waitMs of graceMs > 0 ? [0, graceMs / 4, (graceMs * 3) / 4] : [0]) {
      if (grant.granted || grant.refusal !== 'too-many-sockets') break;
      if (this.#lockedAccounts.delete(owner.accountId)) this.#settleSoon(); // its row is free, as the claim shows
      await this.#settled;
      if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      grant = await claim();
    }
    return grant;
  }

  #release(socket: OpenSocket): Promise<void> {
    socket.closedAt ??= this.#options.clock.elapsed();
    socket.cancelWatch();
    if (!this.#sockets.has(socket.sessionId)) return Promise.resolve();
    const paid = new Promise<void>((resolve) => socket.onPaid.push(resolve));
    this.#settleSoon();
    return paid;
  }

  #freeSlot(socket: OpenSocket): Promise<void> {
    socket.wantsSlot = false;
    return this.#adjust(socket);
  }

  async #takeSlot(socket: OpenSocket): Promise<boolean> {
    if (socket.wantsSlot) await socket.work;
    else {
      socket.wantsSlot = true;
      await this.#adjust(socket);
    }
    return socket.wantsSlot;
  }

  /** Adjusts the lease to the slot that the socket needs. Never rejects: a heartbeat retries what fails. */
  #adjust(socket: OpenSocket): Promise<void> {
    return (socket.work = socket.work
      .then(async () => {
        if (socket.closedAt !== null) return;
        if (!socket.isLeased || (socket.wantsSlot && !socket.holdsSlot)) await this.#claim(socket);
        else if (!socket.wantsSlot && socket.holdsSlot) {
          await this.#options.store.freeSlot(socket.sessionId);
          socket.holdsSlot = false;
        }
      })
      .catch(this.#options.report));
  }

  async #claim(socket: OpenSocket): Promise<void> {
    const { accountId, chargedMs, isLeased, keyId, premium, sessionId, wantsSlot } = socket;
    const grant = await this.#claimPatiently({ accountId, keyId, premium, sessionId }, wantsSlot);
    if (!grant.granted) {
      // Without a slot, the socket stays open, unless its lease was lost.
      if (grant.refusal === 'too-many-sockets' && socket.isLeased) socket.wantsSlot = false;
      else if (socket.closedAt === null) socket.onRefused(grant.refusal);
      return;
    }
    socket.isLeased = true;
    socket.holdsSlot = wantsSlot;
    if (!isLeased) this.#fund(socket, chargedMs, grant);
    if (socket.closedAt === null) return;
    // Closed meanwhile: delete the new lease, even if everything was charged before.
    this.#sockets.set(sessionId, socket);
    this.#settleSoon();
  }

  /**
   * Watches the credit of a socket: requests more before its reservation is used up, and closes the socket once no
   * credit is left.
   *
   * @param chargedMs - Reading of its meter from which the credit counts.
   */
  #fund(socket: OpenSocket, chargedMs: number, { reservedMs, spareMs }: SocketCredit): void {
    socket.cancelWatch();
    if (socket.closedAt !== null) return;
    socket.lastsUntilMs = chargedMs + reservedMs + spareMs;
    const askInMs = chargedMs + reservedMs - ASK_AHEAD_MS - this.#read(socket).totalMs;
    if (askInMs > 0) {
      socket.cancelWatch = this.#options.clock.after(askInMs, () => this.#askForCredit(socket));
    } else if (spareMs > 0) this.#askForCredit(socket);
    else this.#closeAtEnd(socket);
  }

  #askForCredit(socket: OpenSocket): void {
    this.#dueAccounts.add(socket.accountId);
    this.#settleSoon();
    this.#closeAtEnd(socket);
  }

  #closeAtEnd(socket: OpenSocket): void {
    const leftMs = socket.lastsUntilMs - this.#read(socket).totalMs;
    if (leftMs <= 0) return socket.onRefused('out-of-credits');
    const delayMs = Math.min(leftMs, WATCH_MS);
    socket.cancelWatch = this.#options.clock.after(delayMs, () => this.#closeAtEnd(socket));
  }

  /** Queues one settlement of closed sockets and of the accounts that are due. Requests until it starts share it. */
  #settleSoon(): void {
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    this.#settled = this.#settled.then(() => {
      this.#settlesSoon = false;
      const due = new Set(this.#dueAccounts);
      this.#dueAccounts.clear();
      return this.#settle(
        [...this.#sockets.values()].filter(
          ({ accountId, closedAt }) =>
            due.has(accountId) || (closedAt !== null && !this.#lockedAccounts.has(accountId)),
        ),
      );
    });
  }

  #beat(): Promise<void> {
    this.#settled = this.#settled.then(() => this.#settle([...this.#sockets.values()]));
    return this.#settled.then(() => this.#options.store.sweep()).catch(this.#options.report);
  }

  /** Settles sockets. Never rejects; what fails is retried after {@link RETRY_MS}. */
  async #settle(sockets: readonly OpenSocket[]): Promise<void> {
    if (sockets.length === 0) return;
    const { clock, onFailed, onSettled, report, store } = this.#options;
    const startedAt = clock.elapsed();
    const readings = sockets.map((socket) => this.#read(socket));
    try {
      const settlements = await store.settle(readings);
      let chargedMs = 0;
      const settled = new Map(settlements.map((settlement) => [settlement.sessionId, settlement]));
      readings.forEach((reading, index) => {
        const settlement = settled.get(reading.sessionId);
        if (!settlement) return this.#settleLater(reading.accountId);
        chargedMs += settlement.chargedMs;
        this.#lockedAccounts.delete(reading.accountId);
        this.#apply(sockets[index]!, reading, settlement);
      });
      this.#beatWithin(Infinity);
      onSettled?.(clock.elapsed() - startedAt, chargedMs);
    } catch (error) {
      report(error);
      onFailed?.();
      this.#beatWithin(RETRY_MS);
    }
  }

  /** Settles a locked account again after {@link RETRY_MS} at most. Until then, its closed sockets wait. */
  #settleLater(accountId: string): void {
    this.#lockedAccounts.add(accountId);
    if (this.#closed) return;
    this.#cancelRetry ??= this.#options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      for (const locked of this.#lockedAccounts) this.#dueAccounts.add(locked);
      this.#lockedAccounts.clear();
      this.#settleSoon();
    });
  }

  #read({ accountId, closedAt, openedAt, premium, sessionId }: OpenSocket): MeterReading {
    const totalMs = Math.max(0, Math.floor((closedAt ?? this.#options.clock.elapsed()) - openedAt));
    return { sessionId, accountId, premium, totalMs, isLast: closedAt !== null };
  }

  #apply(socket: OpenSocket, reading: MeterReading, settlement: Settlement): void {
    const { lost, refusal } = settlement;
    if (reading.isLast) {
      this.#sockets.delete(socket.sessionId);
      for (const onPaid of socket.onPaid.splice(0)) onPaid();
      return;
    }
    if (socket.closedAt !== null) return;
    if (refusal) return socket.onRefused(refusal);
    socket.chargedMs = reading.totalMs;
    if (lost) socket.isLeased = socket.holdsSlot = false;
    else this.#fund(socket, reading.totalMs, settlement);
    if (!socket.isLeased || socket.wantsSlot !== socket.holdsSlot) void this.#adjust(socket);
  }

  /** Schedules the next heartbeat within `delayMs`, but not later than one heartbeat interval from now. */
  #beatWithin(delayMs: number): void {
    const { clock, heartbeatMs } = this.#options;
    const at = clock.elapsed() + Math.min(heartbeatMs, Math.ceil(delayMs));
    if (this.#closed || this.#beatAt <= at) return;
    this.#cancelBeat();
    this.#beatAt = at;
    this.#cancelBeat = clock.after(at - clock.elapsed(), () => {
      this.#beatAt = Infinity;
      void this.#beat().finally(() => {
        if (this.#sockets.size > 0) this.#beatWithin(heartbeatMs);
      });
    });
  }
}
