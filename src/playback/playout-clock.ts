import type { PlayoutEvent } from '../ring/index.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/** How far the position is extrapolated beyond the latest statistics: the message transport reports every 100 ms. */
const EXTRAPOLATION_SECONDS = 0.25;

/** The latest report of the audio thread. */
interface Report {
  /** The position, in seconds. */
  readonly counted: number;
  /** Context time at which that position was rendered. */
  readonly reportedAt: number;
  readonly pace: number;
}

/**
 * The playback position: seconds of speech that have been heard since the timeline began.
 *
 * Follows the audio thread's count of samples, minus the output latency, at the pace of playback. Main thread.
 */
export class PlayoutClock {
  /** The position when the node was opened. */
  #carried = 0;
  /** Samples that the node had played when the timeline began. */
  #origin = 0;
  #node: PlaybackNode | undefined;
  #output: PlaybackOutput | undefined;
  /** Context times between which sound is playing. */
  #soundFrom = 0;
  #soundUntil = Number.POSITIVE_INFINITY;

  /** Restarts at 0, for another stream. */
  restart(): void {
    this.#carried = 0;
    this.#origin = this.#node?.stats().playedSamples ?? 0;
  }

  /** The node has been asked for a seek: the position is `seconds` until it plays from there. */
  seek(seconds: number): void {
    this.#carried = seconds;
    this.#origin = 0;
    this.#soundUntil = Number.POSITIVE_INFINITY;
  }

  /** The position becomes less by `seconds`. */
  shift(seconds: number): void {
    this.#carried -= seconds;
  }

  /**
   * Follows another node from here on, or none.
   *
   * @param seconds - The position at this moment.
   */
  follow(node: PlaybackNode | undefined, output: PlaybackOutput | undefined, seconds: number): void {
    this.#carried = seconds;
    this.#node = node;
    this.#output = output;
    this.#origin = 0;
  }

  /** Sound plays from context time `at` on, and is heard now. The latest statistics may be older. */
  soundHeardFrom(at: number): void {
    this.#soundFrom = at;
  }

  /** Notes a fact of the audio thread before it is heard: its sound may have ended and still be on its way. */
  note({ event, at }: PlayoutEvent): void {
    if (event === 'playing' || event === 'start') this.#soundUntil = Number.POSITIVE_INFINITY;
    else if (event !== 'underrun') this.#soundUntil = at;
  }

  /**
   * Seconds that have been heard. May go back by a few milliseconds between two calls.
   *
   * @param isMoving - Sound is playing, so that the position moves on between two reports of the audio thread.
   * @param ago - Seconds since the sound was rendered whose position is wanted. By default, of the sound that is heard now.
   *   Negative: of sound that is rendered after this call.
   */
  seconds(isMoving: boolean, ago = this.#output?.latency ?? 0): number {
    if (!this.#node || !this.#output) return this.#carried;
    const { currentTime } = this.#output;
    const report = this.#report(this.#node);
    const { counted, reportedAt } = report;
    if (!isMoving) return counted;
    // The page's clock may be one device buffer behind the audio thread. Reported sound was rendered in any case.
    const now = ago < 0 ? Math.max(currentTime, reportedAt) : currentTime;
    return this.#extrapolate(report, Math.min(now, reportedAt + EXTRAPOLATION_SECONDS) - ago);
  }

  /** The position of the sound that was rendered at context time `at`, before or shortly after the latest report. */
  secondsAt(at: number): number {
    return this.#node ? this.#extrapolate(this.#report(this.#node), at) : this.#carried;
  }

  #extrapolate({ counted, reportedAt, pace }: Report, at: number): number {
    return counted + (Math.min(at, this.#soundUntil) - reportedAt) * pace;
  }

  #report(node: PlaybackNode): Report {
    const { playedSamples, emittedAt, pace } = node.stats();
    const counted = this.#carried + (playedSamples - this.#origin) / node.sampleRate;
    return { counted, reportedAt: Math.max(Math.min(emittedAt, this.#soundUntil), this.#soundFrom), pace };
  }
}
