import type { PlayoutEvent } from '../ring/index.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/** How far the position is extrapolated beyond the latest statistics: the message transport reports every 100 ms. */
const EXTRAPOLATION_SECONDS = 0.25;

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
   * @param ago - Seconds since the sound that is meant was rendered: by default that which is heard now. Negative: it follows
   *   what is rendered by now.
   */
  seconds(isMoving: boolean, ago = this.#output?.latency ?? 0): number {
    if (!this.#node || !this.#output) return this.#carried;
    const { currentTime } = this.#output;
    const { counted, reportedAt } = this.#latest(this.#node);
    if (!isMoving) return counted;
    // The page's clock is up to a buffer of the device behind the audio thread, which has rendered what it has reported.
    const now = ago < 0 ? Math.max(currentTime, reportedAt) : currentTime;
    return this.secondsAt(Math.min(now, reportedAt + EXTRAPOLATION_SECONDS) - ago);
  }

  /** The position of the sound that was rendered at context time `at`, before or shortly after the latest report. */
  secondsAt(at: number): number {
    if (!this.#node) return this.#carried;
    const { counted, reportedAt, pace } = this.#latest(this.#node);
    return counted + (Math.min(at, this.#soundUntil) - reportedAt) * pace;
  }

  /** The latest report of the audio thread: the position, and the context time at which it was rendered. */
  #latest(node: PlaybackNode): { counted: number; reportedAt: number; pace: number } {
    const { playedSamples, emittedAt, pace } = node.stats();
    const counted = this.#carried + (playedSamples - this.#origin) / node.sampleRate;
    return { counted, reportedAt: Math.max(Math.min(emittedAt, this.#soundUntil), this.#soundFrom), pace };
  }
}
