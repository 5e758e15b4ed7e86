import type { PlayoutEvent } from '../ring/index.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/**
 * Computes the playback position: seconds of speech that have been heard since the timeline began.
 *
 * Takes the audio thread's count of samples, subtracts the output latency, and extrapolates at the pace of playback: by
 * no more than was buffered, since a page that was blocked knows of the end of the speech only later. Main thread.
 */
export class PlayoutClock {
  /** Position in seconds from which the samples of the node are counted. */
  #carried = 0;
  /** Number of samples that the node had played at that position. */
  #origin = 0;
  #node: PlaybackNode | undefined;
  #output: PlaybackOutput | undefined;
  /** Context times in seconds between which sound is playing. */
  #soundFrom = 0;
  #soundUntil = Number.POSITIVE_INFINITY;
  /** Context time up to which everything has certainly been heard. */
  #heardUntil = 0;

  /** Restarts at 0, for another stream. */
  restart(): void {
    this.#carried = 0;
    this.#origin = this.#node?.stats().playedSamples ?? 0;
  }

  /** Sets the position after the node was asked for a seek. It stays at `seconds` until the node plays from there. */
  seek(seconds: number): void {
    this.#carried = seconds;
    this.#origin = 0;
    this.#soundUntil = Number.POSITIVE_INFINITY;
  }

  /** Reduces the position by `seconds`. */
  shift(seconds: number): void {
    this.#carried -= seconds;
  }

  /**
   * Follows another node from now on, or none.
   *
   * @param seconds - Current position.
   */
  follow(node: PlaybackNode | undefined, output: PlaybackOutput | undefined, seconds: number): void {
    this.#carried = seconds;
    this.#node = node;
    this.#output = output;
    this.#origin = 0;
    this.#soundFrom = 0;
    this.#heardUntil = 0;
    this.#soundUntil = Number.POSITIVE_INFINITY;
  }

  /** Notes an event that is heard now. The page's clock and the latest statistics may be older. */
  heard({ event, at }: PlayoutEvent): void {
    this.#heardUntil = at;
    if (event === 'playing') this.#soundFrom = at;
  }

  /** Notes an event of the audio thread before it is heard: the sound may have ended and still be on its way. */
  note({ event, at }: PlayoutEvent): void {
    if (event === 'playing' || event === 'start') this.#soundUntil = Number.POSITIVE_INFINITY;
    else if (event !== 'underrun') this.#soundUntil = at;
  }

  /**
   * Returns the seconds that have been heard. May go back by a few milliseconds between two calls.
   *
   * @param isMoving - True if sound is playing, so that the position advances between two reports of the audio thread.
   *   Otherwise, sound that has been rendered may still be on its way.
   * @param ago - Seconds since the sound in question was rendered. Defaults to the output latency, for the sound that
   *   is heard now. Negative for sound that is rendered after this call, so that all that was rendered counts. Infinity
   *   for the sound at the latest event that was heard.
   */
  seconds(isMoving: boolean, ago = this.#output?.latency ?? 0): number {
    const node = this.#node;
    const output = this.#output;
    if (!node || !output) return this.#carried;
    const { playedSamples, bufferedSamples, emittedAt, pace } = node.stats();
    const { currentTime } = output;
    const reportedAt = Math.max(Math.min(emittedAt, this.#soundUntil), this.#soundFrom);
    // The page's clock may be one device buffer behind the audio thread, but reported sound has certainly been
    // rendered.
    const now = ago < 0 ? Math.max(currentTime, reportedAt) : currentTime;
    const rendered = this.secondsOf(playedSamples);
    const sinceReport = (Math.min(Math.max(now - ago, this.#heardUntil), this.#soundUntil) - reportedAt) * pace;
    if (!isMoving) return Math.max(this.#carried, rendered + Math.min(0, sinceReport));
    return rendered + Math.min(sinceReport, bufferedSamples / node.sampleRate);
  }

  /** Returns the position that the node had reached after `playedSamples` samples since the last seek. */
  secondsOf(playedSamples: number): number {
    return this.#carried + (playedSamples - this.#origin) / (this.#node?.sampleRate ?? 1);
  }
}
