import type { Clock } from '../base/clock.js';
import { retryDelayMs } from '../base/retry-delay.js';
import { SpeakerError } from '../base/speaker-error.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import type { SessionReason } from './session-source.js';

/** A token is valid for about 30 s. A session held longer than this is replaced if the source can give another one. */
const FRESH_MS = 10_000;
/** Number of attempts with a fresh session after a socket failed before any audio of an utterance arrived. */
const RETRIES = 3;
/** Longest delay before such an attempt, before the random spread. */
const LONGEST_RETRY_MS = 4000;

/** The broker's surroundings; tests pass their own. */
export interface BrokerHost {
  readonly clock: Clock;
  /** Returns a number in [0, 1). */
  random(): number;
  /** True if the source can give more than one session. */
  readonly canRenew: boolean;
  /** True if the user has touched the page, so the browser will most likely allow sound. */
  readonly userHasActed: boolean;
  /** @throws {SpeakerError} If no usable session is available. */
  requestSession(reason: SessionReason, signal: AbortSignal): Promise<PlayableSession>;
}

/** Callbacks for the facts that the broker reports, always after the call that caused them. */
export interface BrokerFacts {
  /** A session is held for the utterance `serial`. */
  sessionHeld(serial: number, session: PlayableSession, reason: SessionReason): void;
  /** The session that the utterance `serial` needs cannot be had. */
  sessionFailed(serial: number, error: SpeakerError): void;
}

/** The utterance that needs a session. */
interface Need {
  readonly serial: number;
  readonly reason: SessionReason;
}

type Phase =
  | { readonly name: 'none' }
  | { readonly name: 'retrying'; readonly cancelTimer: () => void }
  | { readonly name: 'requesting'; readonly request: AbortController }
  | { readonly name: 'held'; readonly session: PlayableSession; readonly sinceMs: number }
  | { readonly name: 'failed'; readonly error: SpeakerError; readonly sinceMs: number };

/**
 * Decides when a session is requested: for the first utterance, ahead of time, and again after a socket has failed.
 *
 * none → requesting → held → none again, when the session is spent. At most one session is requested or held at a time,
 * and each is spent on one connection. Main thread.
 */
export class SessionBroker {
  readonly #host: BrokerHost;
  readonly #facts: BrokerFacts;
  #phase: Phase = { name: 'none' };
  /** The utterance that waits for the session; null if the session was requested ahead of time. */
  #need: Need | null = null;
  /** The utterance whose connection has failed, and the number of its failures. */
  #failing = { serial: 0, times: 0 };

  constructor(host: BrokerHost, facts: BrokerFacts) {
    this.#host = host;
    this.#facts = facts;
  }

  /** True if the source can give more than one session. */
  get canRenew(): boolean {
    return this.#host.canRenew;
  }

  /**
   * Requests a session ahead of time, if it will most likely be used soon, and the source can give another one in case
   * this one grows too old.
   */
  prepare(reason: SessionReason): void {
    const { canRenew, userHasActed } = this.#host;
    if (this.#phase.name === 'none' && canRenew && userHasActed) this.#request(reason);
  }

  /** Asks for a session for the utterance `serial`. Reports the one that is held or requested, or else a new one. */
  need(serial: number, reason: SessionReason): void {
    const need = { serial, reason };
    this.#need = need;
    const phase = this.#phase;
    if (phase.name === 'requesting') return;
    if ((phase.name === 'held' || phase.name === 'failed') && !this.#isStale(phase.sinceMs)) {
      queueMicrotask(() => {
        if (this.#need === need) this.#report();
      });
    } else {
      if (phase.name === 'retrying') phase.cancelTimer();
      this.#request(reason);
    }
  }

  /**
   * Requests a fresh session, after a delay, for an utterance whose connection failed before it brought any audio.
   *
   * @returns False if it has failed too often, or the source has no other session.
   */
  retry(serial: number, reason: 'retry' | 'resume' = 'retry'): boolean {
    const times = this.#failing.serial === serial ? this.#failing.times + 1 : 1;
    this.#failing = { serial, times };
    if (!this.#host.canRenew || times > RETRIES) return false;
    this.release();
    const cancelTimer = this.#host.clock.after(retryDelayMs(times, this.#host.random(), LONGEST_RETRY_MS), () => {
      this.#phase = { name: 'none' };
      this.need(serial, reason);
    });
    this.#phase = { name: 'retrying', cancelTimer };
    return true;
  }

  /** Replaces the held session by one with other messages. */
  hold(session: PlayableSession): void {
    if (this.#phase.name === 'held') this.#phase = { ...this.#phase, session };
  }

  /**
   * Hands over the held session, for a connection that is about to be opened. Returns null if no session is held, or if
   * it is too old. In the latter case another one is requested, and will be reported.
   */
  spend(): PlayableSession | null {
    const phase = this.#phase;
    if (phase.name !== 'held') return null;
    if (this.#need && this.#isStale(phase.sinceMs)) {
      this.#request(this.#need.reason);
      return null;
    }
    this.#phase = { name: 'none' };
    this.#need = null;
    return phase.session;
  }

  /** Releases a session that was requested ahead of time and that no utterance needs. */
  releaseUnneeded(): void {
    if (this.#need === null) this.release();
  }

  /** Aborts the request and drops the session. Idempotent. */
  release(): void {
    const phase = this.#phase;
    if (phase.name === 'requesting') phase.request.abort();
    if (phase.name === 'retrying') phase.cancelTimer();
    this.#phase = { name: 'none' };
    this.#need = null;
  }

  #isStale(sinceMs: number): boolean {
    return this.#host.canRenew && this.#host.clock.now() - sinceMs > FRESH_MS;
  }

  #request(reason: SessionReason): void {
    const request = new AbortController();
    const requesting: Phase = { name: 'requesting', request };
    this.#phase = requesting;
    const settle = (result: Phase): void => {
      if (this.#phase !== requesting) return;
      this.#phase = result;
      this.#report();
    };
    const { clock } = this.#host;
    this.#host.requestSession(reason, request.signal).then(
      (session) => settle({ name: 'held', session, sinceMs: clock.now() }),
      (cause: unknown) => {
        const error = SpeakerError.from(cause, 'session-request-failed');
        settle({ name: 'failed', error, sinceMs: clock.now() });
      },
    );
  }

  /** Reports the result of the request to the utterance that waits for it, if there is one. */
  #report(): void {
    const need = this.#need;
    const phase = this.#phase;
    if (!need) return;
    if (phase.name === 'held') {
      this.#facts.sessionHeld(need.serial, phase.session, need.reason);
    } else if (phase.name === 'failed') {
      this.release();
      this.#facts.sessionFailed(need.serial, phase.error);
    }
  }
}
