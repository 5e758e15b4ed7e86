import { PlayoutClock } from './playout-clock.js';
import type { PlaybackState } from './state.js';
import type { Position } from './turn.js';

/**
 * The position that the page sees, in seconds.
 *
 * Unlike the position of the clock, it never goes back except in a seek, and stays within the timeline. Main thread.
 */
export class PlaybackPosition {
  readonly clock = new PlayoutClock();
  /** Highest position read since the last seek. */
  #shown = 0;
  /** Highest position read before the last seek. */
  #played = 0;

  /** Returns the position, as heard; during a seek, its target. */
  read({ timeline, mode, seeking }: PlaybackState): number {
    // The audio thread may have reached the target and be playing on.
    if (seeking > 0) return this.#shown;
    const { reached, duration } = timeline;
    const ceiling = Number.isFinite(duration) ? duration : Number.POSITIVE_INFINITY;
    const heard = Math.min(this.clock.seconds(mode === 'playing'), ceiling);
    this.#shown = Math.max(this.#shown, heard, reached);
    return this.#shown;
  }

  /** Returns the end of what has been played, before the last seek or after it. */
  readPlayed(state: PlaybackState): number {
    return Math.max(this.#played, this.read(state));
  }

  /** Returns the position for a step of the machine. */
  count({ timeline, mode }: PlaybackState): Position {
    const shown = Math.max(this.#shown, timeline.reached);
    // The audio thread's count is ahead of what is heard, but may be out of date.
    return { shown, counted: Math.max(shown, this.clock.seconds(false, -1), this.clock.seconds(mode === 'playing')) };
  }

  /** Sets the position after the node was asked for a seek. */
  seek(seconds: number): void {
    this.#played = Math.max(this.#played, this.#shown);
    this.#shown = seconds;
    this.clock.seek(seconds);
  }

  /** Reduces the position by `seconds`, because speech before it is no longer kept. */
  shift(seconds: number): void {
    this.#played = this.#shown = Math.max(0, this.#shown - seconds);
    this.clock.shift(seconds);
  }

  /** Restarts at 0, for another stream. */
  restart(): void {
    this.#shown = 0;
    this.clock.restart();
  }
}
