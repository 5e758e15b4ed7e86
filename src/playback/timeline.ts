import type { PlaybackLine, PlaybackOutput } from './ports.js';

/** How far the position is carried on beyond the last look at the audio thread: the message transport looks each 100 ms. */
const LOOK_SECONDS = 0.25;

/**
 * The playback position: seconds of speech that have been heard since the timeline began.
 *
 * It follows the audio thread's count of samples, less what is still on its way to the ear, and never goes back.
 */
export class Timeline {
  /** Seconds heard on lines that are closed. */
  #carried = 0;
  /** What the line had emitted, in samples, and discarded, when the timeline began or the line was opened. */
  #origin = 0;
  #line: PlaybackLine | undefined;
  #output: PlaybackOutput | undefined;
  #current = 0;
  /** Seconds of speech that have come in whole utterances. */
  #received = 0;
  /** Seconds, once all that will come is known. */
  #duration = Number.NaN;

  /** Begins at 0 again: what comes now is another stream. */
  reset(): void {
    this.#carried = 0;
    this.#received = 0;
    this.#current = 0;
    this.#duration = Number.NaN;
    this.#origin = this.#line?.stats().emittedSamples ?? 0;
  }

  /** Follows another line from here on, or none. */
  follow(line: PlaybackLine | undefined, output: PlaybackOutput | undefined): void {
    this.#carried = this.current(false);
    this.#line = line;
    this.#output = output;
    this.#origin = 0;
  }

  /** @param moving - Sound is leaving, so that the position goes on between two looks at the audio thread. */
  current(moving: boolean): number {
    let seconds = this.#carried;
    if (this.#line && this.#output) {
      const { emittedSamples, emittedAt } = this.#line.stats();
      const { currentTime, latency } = this.#output;
      seconds += (emittedSamples - this.#origin) / this.#line.sampleRate;
      if (moving) seconds += Math.min(currentTime - emittedAt, LOOK_SECONDS) - latency;
    }
    const ceiling = Number.isFinite(this.#duration) ? this.#duration : seconds;
    this.#current = Math.max(this.#current, Math.min(seconds, ceiling));
    return this.#current;
  }

  /** NaN before anything is known, `Infinity` while more may come. */
  get duration(): number {
    return this.#duration;
  }

  /** More will come. Returns whether that is news. */
  extend(): boolean {
    if (this.#duration === Number.POSITIVE_INFINITY) return false;
    this.#duration = Number.POSITIVE_INFINITY;
    return true;
  }

  /** An utterance is complete. */
  receive(seconds: number): void {
    this.#received += seconds;
  }

  /** Seconds of speech that were there before the utterances that are still under way. */
  get received(): number {
    return this.#received;
  }

  /** All that will come has come. Returns whether that is news. */
  complete(): boolean {
    if (this.#duration !== Number.POSITIVE_INFINITY) return false;
    this.#duration = Math.max(this.#received, this.#current);
    return true;
  }

  /** Everything has been heard. */
  end(): void {
    this.#current = Number.isFinite(this.#duration) ? this.#duration : this.#current;
    this.#duration = this.#current;
  }
}
