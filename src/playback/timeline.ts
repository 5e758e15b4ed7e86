import type { PlayoutEvent } from '../ring/index.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/** How far the position is carried on beyond the last look at the audio thread: the message transport looks each 100 ms. */
const LOOK_SECONDS = 0.25;

/**
 * The playback position and its end: seconds of speech since the timeline began.
 *
 * The position follows the audio thread's count of samples, less what is still on its way to the ear, at the pace at
 * which speech leaves. It never goes back. Main thread.
 */
export class Timeline {
  /** Seconds heard on lines that are closed. */
  #carried = 0;
  /** What the line had emitted, in samples, when the timeline began or the line was opened. */
  #origin = 0;
  #line: PlaybackNode | undefined;
  #output: PlaybackOutput | undefined;
  /** Context times from which on speech leaves, and until which. */
  #soundFrom = 0;
  #soundUntil = Number.POSITIVE_INFINITY;
  #current = 0;
  /** Seconds of the utterances that are over. */
  #past = 0;
  /** False once an utterance was cut short: then only the audio thread knows how much of it was heard. */
  #exact = true;
  #duration = Number.NaN;

  /** Begins at 0 again: what comes now is another stream. */
  reset(): void {
    this.#carried = 0;
    this.#current = 0;
    this.#past = 0;
    this.#exact = true;
    this.#duration = Number.NaN;
    this.#origin = this.#line?.stats().emittedSamples ?? 0;
  }

  /** Follows another line from here on, or none. */
  follow(line: PlaybackNode | undefined, output: PlaybackOutput | undefined): void {
    this.#carried = this.current(false);
    this.#line = line;
    this.#output = output;
    this.#origin = 0;
  }

  /** Sound leaves from context time `at` on, and is heard now; the last look at the audio thread may be older. */
  soundFrom(at: number): void {
    this.#soundFrom = at;
  }

  /** What the audio thread tells, before it is heard: speech may have stopped leaving and still be on its way. */
  note({ event, at }: PlayoutEvent): void {
    if (event === 'playing' || event === 'start') this.#soundUntil = Number.POSITIVE_INFINITY;
    else if (event !== 'underrun') this.#soundUntil = at;
  }

  /**
   * Seconds that have been heard.
   *
   * @param moving - Sound is leaving, so that the position goes on between two looks at the audio thread.
   */
  current(moving: boolean): number {
    let seconds = this.#carried;
    if (this.#line && this.#output) {
      const { emittedSamples, emittedAt, pace } = this.#line.stats();
      const { currentTime, latency } = this.#output;
      seconds += (emittedSamples - this.#origin) / this.#line.sampleRate;
      const looked = Math.max(Math.min(emittedAt, this.#soundUntil), this.#soundFrom);
      const heard = Math.min(Math.min(currentTime, looked + LOOK_SECONDS) - latency, this.#soundUntil);
      if (moving) seconds += (heard - looked) * pace;
    }
    const ceiling = Number.isFinite(this.#duration) ? this.#duration : seconds;
    this.#current = Math.max(this.#current, Math.min(seconds, ceiling));
    return this.#current;
  }

  /** Seconds. NaN before anything is known, `Infinity` while more may come. */
  get duration(): number {
    return this.#duration;
  }

  /** More will come. Returns whether that is news. */
  extend(): boolean {
    if (this.#duration === Number.POSITIVE_INFINITY) return false;
    this.#duration = Number.POSITIVE_INFINITY;
    return true;
  }

  /** An utterance of so many seconds has been heard, to its last sample. */
  pass(seconds: number): void {
    this.#past += seconds;
    if (this.#exact) this.#current = Math.max(this.#current, this.#past);
  }

  /** What is being heard ends about here. */
  cut(): void {
    this.#past = Math.max(this.#past, this.current(false));
    this.#exact = false;
  }

  /**
   * All that will come has come. Returns whether that changes the duration.
   *
   * @param rest - Seconds of the utterances that are not over.
   */
  complete(rest: number): boolean {
    const duration = Math.max(this.#past + rest, this.#current);
    // The same seconds, added up in another order.
    if (Number.isNaN(this.#duration) || Math.abs(duration - this.#duration) < 1e-6) return false;
    this.#duration = duration;
    return true;
  }

  /** Everything has been heard: the position is at the end. Returns whether that changes the duration. */
  end(): boolean {
    const before = this.#duration;
    if (!this.#exact || !Number.isFinite(before)) {
      this.#duration = Number.NaN;
      this.#duration = Math.max(this.current(false), this.#exact ? this.#past : 0);
    }
    this.#current = this.#duration;
    this.#past = this.#current;
    this.#exact = true;
    return before !== this.#duration;
  }
}
