import type { Clock } from '../clock.js';
import type {
  LeaseClaim,
  LeaseGrant,
  LeaseRefusal,
  LeaseStore,
  MeterReading,
  Settlement,
  SocketCredit,
} from './lease-store.js';

/** A lease is good for this many heartbeats: a node that died blocks no slot for longer. */
export const HEARTBEATS_PER_LEASE = 2;

/** Time before a settlement that failed, or left a locked account out, is tried again, in milliseconds. */
const RETRY_MS = 500;

/** Time before the reserved credit of a socket is used up at which more is asked for, in milliseconds. */
const ASK_AHEAD_MS = 500;

/** Longest wait for the end of a socket's credit before the meter is read again, in milliseconds; timers have a limit. */
const WATCH_MS = 60_000;

/** Which socket asks for a lease, and for whom. */
export type SocketOwner = Omit<LeaseClaim, 'node' | 'takesSlot'>;

/** Leave to have a socket open, and its meter. Main thread. */
export interface SocketLease {
  /** Gives the slot back while the socket stays open. Resolves when others can take it; never rejects. */
  freeSlot(): Promise<void>;
  /**
   * Takes the slot again. Resolves with false if none is free; never rejects. While the database does not answer, sockets
   * go on as if they had one.
   */
  takeSlot(): Promise<boolean>;
  /** The socket is closed: stops the meter. More than once is harmless. Resolves when it is paid; never rejects. */
  release(): Promise<void>;
}

/** What {@link SocketLeases} needs. */
export interface SocketLeasesOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Time between two heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /**
   * How long a socket may wait for a slot that is about to be free, in milliseconds: a client learns that its last socket
   * is closed before the database does. 0 waits for what this node is about to settle, and no longer.
   */
  readonly graceMs: number;
  /** Name of this node. */
  readonly node: string;
  /** Takes errors of the database. What they kept from being done is done later. */
  readonly report: (error: unknown) => void;
  /** Told of each settlement: how long it took, and what it charged, both in milliseconds. */
  readonly onSettled?: (durationMs: number, chargedMs: number) => void;
  /** Told of each settlement that failed. */
  readonly onFailed?: () => void;
}

interface OpenSocket extends SocketOwner {
  readonly openedAt: number;
  closedAt: number | null;
  /** Whether there is a lease; one that was not renewed in time is lost. */
  isLeased: boolean;
  /** Whether the socket wants to count against the ceiling, and whether it does. */
  wantsSlot: boolean;
  holdsSlot: boolean;
  /** Reading of its meter that was charged last, in milliseconds. */
  chargedMs: number;
  /** Reading of its meter at which no credit is left for it, in milliseconds. */
  lastsUntilMs: number;
  /** Calls off what is to happen when its credit runs short. */
  cancelWatch: () => void;
  /** What is done to its lease, one after the other. */
  work: Promise<void>;
  /** Calls to be made when it is paid. */
  readonly onPaid: (() => void)[];
  readonly onRefused: (refusal: LeaseRefusal) => void;
}

/**
 * The leases of this node's sockets. Each heartbeat reads all meters, charges what they read, and renews the leases and the
 * credit that they reserve. Between heartbeats only sockets are settled that were closed, or whose reserved credit is
 * nearly used up. A socket closes by itself when there is no credit left for it. A database that is away for a while loses
 * nothing: meters run on here, and are charged when it is back. Meanwhile a socket may use what was left of the account's
 * credit when it was last heard of.
 */
export class SocketLeases {
  readonly #options: SocketLeasesOptions;
  readonly #sockets = new Map<string, OpenSocket>();
  #cancelBeat = (): void => {};
  #beatAt = Infinity;
  /** Settlements, one after the other. */
  #settled: Promise<void> = Promise.resolve();
  /** A settlement between heartbeats is waiting for its turn. */
  #settlesSoon = false;
  /** Accounts with a socket whose reserved credit is nearly used up. */
  readonly #shortAccounts = new Set<string>();
  #closed = false;

  constructor(options: SocketLeasesOptions) {
    this.#options = options;
  }

  /** Number of sockets that are open or not yet paid. */
  get size(): number {
    return this.#sockets.size;
  }

  /**
   * Asks for a lease. Its meter runs from the moment that it is there: nobody pays for having waited for a slot.
   *
   * @param onRefused - Called if the socket has to be closed later, until it is released.
   * @returns A lease, or why there is none.
   * @throws What the database throws.
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
   * Ends every lease, as if all sockets were closed now, and stops.
   *
   * @returns When all is paid, or `signal` is aborted.
   */
  async close(signal: AbortSignal): Promise<void> {
    const paid = Promise.all([...this.#sockets.values()].map((socket) => this.#release(socket)));
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (!signal.aborted) await Promise.race([paid, aborted]);
    this.#closed = true;
    this.#cancelBeat();
  }

  async #claimPatiently(owner: SocketOwner, takesSlot = true): Promise<LeaseGrant> {
    const { clock, graceMs, node, store } = this.#options;
    const claim = (): Promise<LeaseGrant> => store.claim({ ...owner, node, takesSlot });
    let grant = await claim();
    for (const waitMs of graceMs > 0 ? [0, graceMs / 4, (graceMs * 3) / 4] : [0]) {
      if (grant.granted || grant.refusal !== 'too-many-sockets') break;
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

  /** Brings the lease in line with what the socket wants. Never rejects: what fails is done by the next heartbeat. */
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
      // Without a slot, a socket stays open, unless others have counted on its lease.
      if (grant.refusal === 'too-many-sockets' && socket.isLeased) socket.wantsSlot = false;
      else if (socket.closedAt === null) socket.onRefused(grant.refusal);
      return;
    }
    socket.isLeased = true;
    socket.holdsSlot = wantsSlot;
    if (!isLeased) this.#fund(socket, chargedMs, grant);
    if (socket.closedAt === null) return;
    // Closed meanwhile: the lease that was just made is to go, too, even if all was paid already.
    this.#sockets.set(sessionId, socket);
    this.#settleSoon();
  }

  /**
   * Watches the credit of a socket: asks for more before what is reserved is used up, and closes the socket when nothing is
   * left for it.
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
    this.#shortAccounts.add(socket.accountId);
    this.#settleSoon();
    this.#closeAtEnd(socket);
  }

  #closeAtEnd(socket: OpenSocket): void {
    const leftMs = socket.lastsUntilMs - this.#read(socket).totalMs;
    if (leftMs <= 0) return socket.onRefused('out-of-credits');
    const delayMs = Math.min(leftMs, WATCH_MS);
    socket.cancelWatch = this.#options.clock.after(delayMs, () => this.#closeAtEnd(socket));
  }

  /** Settles what was closed or runs short of credit, all that comes at about the same time together. */
  #settleSoon(): void {
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    this.#settled = this.#settled.then(() => {
      this.#settlesSoon = false;
      const short = new Set(this.#shortAccounts);
      this.#shortAccounts.clear();
      return this.#settle(
        [...this.#sockets.values()].filter(({ accountId, closedAt }) => closedAt !== null || short.has(accountId)),
      );
    });
  }

  #beat(): Promise<void> {
    this.#settled = this.#settled.then(() => this.#settle([...this.#sockets.values()]));
    return this.#settled.then(() => this.#options.store.sweep()).catch(this.#options.report);
  }

  /** Never rejects; what fails is tried again soon. */
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
        if (!settlement) return;
        chargedMs += settlement.chargedMs;
        this.#apply(sockets[index]!, reading, settlement);
      });
      this.#beatWithin(settlements.length < readings.length ? RETRY_MS : Infinity);
      onSettled?.(clock.elapsed() - startedAt, chargedMs);
    } catch (error) {
      report(error);
      onFailed?.();
      this.#beatWithin(RETRY_MS);
    }
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

  /** Makes the next heartbeat come within `delayMs`, or the time between two heartbeats. */
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
