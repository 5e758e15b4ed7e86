import { type Arrivals, SAMPLES_PER_MS, totalSamples } from './arrivals.js';
import type { Player } from './player.js';

/** Samples per render quantum. */
export const QUANTUM = 128;

/** Sample rate of the simulated output, in Hz, and its samples per millisecond. */
export const OUTPUT_RATE = 48000;
export const OUTPUT_PER_MS = OUTPUT_RATE / 1000;

/** Quanta rendered after everything has been played, so that the end can be analysed: 53 ms. */
const QUANTA_AFTER = 20;

/** A player's output from the first frame's arrival on, and its counters at the end of each quantum. */
export interface Recording {
  /** The first `length` samples belong to this recording. */
  readonly output: Float32Array;
  readonly length: number;
  readonly quanta: number;
  /** Source samples emitted, inserted and removed so far; zeros for a player without counters. */
  readonly emitted: Float64Array;
  readonly inserted: Float64Array;
  readonly removed: Float64Array;
}

/** Reusable memory for recordings, one at a time. */
export class Recorder implements Recording {
  output = new Float32Array(0);
  emitted = new Float64Array(0);
  inserted = new Float64Array(0);
  removed = new Float64Array(0);
  length = 0;
  quanta = 0;

  /**
   * Plays a stream to its end. Times count from the first arrival, which is at sample 0.
   *
   * @param from - Start of the stream in the speech's loop of `loopSamples`.
   * @throws {Error} If the player has not finished a minute after it could have.
   */
  record(player: Player, arrivals: Arrivals, loopSamples: number, from: number): Recording {
    const { atMs, frameSamples } = arrivals;
    const total = totalSamples(arrivals);
    const firstMs = atMs[0]!;
    this.#reserve(Math.max(atMs[atMs.length - 1]! - firstMs, total / SAMPLES_PER_MS) * 1.3 + 60_000);
    const most = this.output.length / QUANTUM;
    let frames = 0;
    let written = 0;
    let place = from;
    let left = QUANTA_AFTER;
    let quantum = 0;
    for (; left > 0; quantum++) {
      if (quantum >= most) throw new Error(`The player is stuck after ${written} of ${total} samples`);
      const nowMs = firstMs + (quantum * QUANTUM) / OUTPUT_PER_MS;
      while (frames < atMs.length && atMs[frames]! <= nowMs) frames++;
      while (written < frames * frameSamples) {
        const count = player.write(place, Math.min(frames * frameSamples - written, loopSamples - place));
        if (count === 0) break;
        written += count;
        place = (place + count) % loopSamples;
        if (written === total) player.end();
      }
      const at = quantum * QUANTUM;
      player.render(this.output.subarray(at, at + QUANTUM), at);
      if (player.counters) {
        this.emitted[quantum] = player.counters.emittedSamples;
        this.inserted[quantum] = player.counters.insertedSamples;
        this.removed[quantum] = player.counters.removedSamples;
      }
      if (player.done) left--;
    }
    this.quanta = quantum;
    this.length = quantum * QUANTUM;
    return this;
  }

  #reserve(ms: number): void {
    const quanta = Math.ceil((ms * OUTPUT_PER_MS) / QUANTUM);
    if (this.output.length >= quanta * QUANTUM) return;
    this.output = new Float32Array(quanta * QUANTUM);
    this.emitted = new Float64Array(quanta);
    this.inserted = new Float64Array(quanta);
    this.removed = new Float64Array(quanta);
  }
}
