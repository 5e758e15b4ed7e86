import type { Clock } from '../base/clock.js';
import type { SentList } from './sent-list.js';
import type { SentUtterance } from './sent-utterance.js';

/** Time limit for the silence of the service while speech is expected. The meter runs while the socket is open. */
const SILENCE_LIMIT_MS = 60_000;
/** Replaces `SILENCE_LIMIT_MS` until the first answer on a socket that was idle before, and may be dead by now. */
const PROBE_LIMIT_MS = 10_000;
/** Replaces `PROBE_LIMIT_MS` if the computer has slept, or changed its network, since the last answer. */
const DOUBT_LIMIT_MS = 2000;
/** Replaces `SILENCE_LIMIT_MS` while only cancelled speech is expected. */
const UNWANTED_LIMIT_MS = 5000;
/** Time in which the service should finish cancelled speech. */
const BUSY_LIMIT_MS = 100;
/** Speech that comes at less than this multiple of real time is slow: `BUSY_LIMIT_MS` would bring 0.2 s of it at most. */
const SLOW_SPEED = 2;

/** Watches whether the service still answers, and whether it finishes cancelled speech in time. Worker thread. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #sent: SentList;
  readonly #onSilent: (seconds: number, isProbe: boolean) => void;
  readonly #onOverdue: () => void;
  readonly #canResume: (utterance: SentUtterance) => boolean;
  #cancelSilence = (): void => {};
  #cancelOverdue = (): void => {};
  #isOverdue = false;
  #isProbing = false;
  #isDoubted = false;

  /**
   * @param sent - The utterances that the service should speak.
   * @param onSilent - Called when the service has not finished them, and was silent for this many seconds. With
   *   `isProbe`, since the first text on a socket that was idle; the text may go on.
   * @param onOverdue - Called when `isOverdue` becomes true.
   * @param canResume - Returns true if another connection can speak the rest of an utterance.
   */
  constructor(
    clock: Clock,
    sent: SentList,
    onSilent: (seconds: number, isProbe: boolean) => void,
    onOverdue: () => void,
    canResume: (utterance: SentUtterance) => boolean,
  ) {
    this.#clock = clock;
    this.#sent = sent;
    this.#onSilent = onSilent;
    this.#onOverdue = onOverdue;
    this.#canResume = canResume;
  }

  /** True if the time of `awaitRest` has passed. */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  /** True until the first answer to a text on a socket that was idle. */
  get isProbing(): boolean {
    return this.#isProbing;
  }

  /** Restarts the time limit for silence. Call after each message that was sent, and after a cancel. */
  restart(): void {
    if (this.#isProbing && !this.#sent.isUnwanted) return;
    const { oldest } = this.#sent;
    if (this.#sent.isUnwanted) this.#start(UNWANTED_LIMIT_MS, false);
    else if (this.#isSuspicious(oldest!)) this.#start(this.#probeLimitMs, false);
    else this.#start(SILENCE_LIMIT_MS, false);
  }

  /** Restarts it after a message of the service. */
  answered(): void {
    this.#isProbing = false;
    this.#isDoubted = false;
    this.restart();
  }

  /** Starts the shorter time limit for the first answer. Call before a text is sent on a socket that was idle. */
  probe(): void {
    this.#start(this.#probeLimitMs, true);
  }

  /** Shortens the time limit for the next answer, if another connection can speak what was not heard. */
  doubt(): void {
    this.#isDoubted = true;
    if (this.#isProbing) this.probe();
    else if (this.#sent.oldest) this.restart();
  }

  /**
   * True if silence in the middle of this speech may be a dead line, which another connection can replace. The second time,
   * the service is rather slow.
   */
  #isSuspicious(utterance: SentUtterance): boolean {
    return utterance.samples > 0 && utterance.resumptions === 0 && this.#canResume(utterance);
  }

  get #probeLimitMs(): number {
    return this.#isDoubted ? DOUBT_LIMIT_MS : PROBE_LIMIT_MS;
  }

  /** @param seconds - The silence that is reported, if another connection cannot end it sooner. */
  #start(limitMs: number, isProbe: boolean, seconds = limitMs / 1000): void {
    this.#cancelSilence();
    this.#isProbing = isProbe;
    this.#cancelSilence = this.#clock.after(limitMs, () => {
      this.#isProbing = false;
      const { oldest } = this.#sent;
      const isShort = !isProbe && !this.#sent.isUnwanted && seconds * 1000 < SILENCE_LIMIT_MS;
      if (isShort && !this.#canResume(oldest!)) {
        return this.#start(SILENCE_LIMIT_MS - limitMs, false, SILENCE_LIMIT_MS / 1000);
      }
      // A text that is still being written may take longer, but not if it is cancelled.
      const isAwaited = isProbe || this.#sent.isUnwanted || !oldest?.more;
      if (this.#sent.isUnfinished && isAwaited) this.#onSilent(seconds, isProbe);
    });
  }

  /**
   * Gives the service time to finish the speech that is cancelled now: `BUSY_LIMIT_MS`, or none if the speech is slow.
   * Speech whose text continues counts as fast, because the service may only be waiting for text.
   */
  awaitRest(sampleRate: number): void {
    this.#cancelOverdue();
    this.#isOverdue = false;
    const { samples, firstMs, more, done } = this.#sent.oldest!;
    const seconds = (this.#clock.now() - firstMs) / 1000;
    const isSlow = !more && !done && samples < SLOW_SPEED * seconds * sampleRate;
    this.#cancelOverdue = this.#clock.after(isSlow ? 0 : BUSY_LIMIT_MS, () => {
      this.#isOverdue = true;
      this.#onOverdue();
    });
  }

  /** Stops both time limits. */
  stop(): void {
    this.#isProbing = false;
    this.#cancelSilence();
    this.#cancelOverdue();
  }
}
