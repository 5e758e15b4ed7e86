import type { Resampler } from '../src/dsp/index.js';

/** Number of samples that are scaled at a time. The cross-fade of a splice must fit at any sample rate. */
const SCRATCH = 4096;

/**
 * The way of all samples of a run into the resampler. Counts them, and scales them while a fade lasts.
 *
 * Real-time safe after construction. Audio thread.
 */
export class ResamplerFeed {
  /** Samples pushed in this run. */
  made = 0;
  /** Buffer for samples that are not in the ring: write them here, then call `emitScratch`. */
  readonly scratch = new Int16Array(SCRATCH);
  readonly #samples: Int16Array;
  #resampler: Resampler;
  #gain = 1;
  /** Number of samples for which the gain stays as it is, and the change of the gain per sample after those. */
  #hold = 0;
  #slope = 0;

  /** @param samples - The samples of the ring. */
  constructor(samples: Int16Array, resampler: Resampler) {
    this.#samples = samples;
    this.#resampler = resampler;
  }

  /** True if the last fade has ended in silence. */
  get isFaded(): boolean {
    return this.#gain === 0;
  }

  /** Begins a new run, at full level. */
  reset(resampler: Resampler): void {
    this.#resampler = resampler;
    this.made = 0;
    this.#gain = 1;
    this.#slope = 0;
  }

  /** Fades to silence within `duration` samples, from `hold` samples on. */
  fadeOut(duration: number, hold: number): void {
    this.#hold = hold;
    this.#slope = -1 / duration;
  }

  /** Fades to full level; from silence that takes `duration` samples. */
  fadeIn(duration: number): void {
    this.#hold = 0;
    this.#slope = 1 / duration;
  }

  /** Emits `count` samples of the ring from `index` on. */
  emit(index: number, count: number): void {
    const samples = this.#samples;
    if (this.#slope === 0 && this.#gain === 1) {
      this.#push(samples, index, count);
      return;
    }
    const { scratch } = this;
    for (let done = 0; done < count; done += SCRATCH) {
      const part = Math.min(SCRATCH, count - done);
      for (let i = 0; i < part; i++) scratch[i] = samples[(index + done + i) | 0]!;
      this.emitScratch(part);
    }
  }

  /** Emits the first `count` samples of the scratch. */
  emitScratch(count: number): void {
    if (this.#slope !== 0 || this.#gain !== 1) this.#scale(count);
    this.#push(this.scratch, 0, count);
  }

  /** Emits `count` samples of silence. */
  emitSilence(count: number): void {
    this.pad(count);
    this.made += count;
  }

  /** Pushes silence after the end of the run, because the resampler looks ahead. */
  pad(count: number): void {
    this.#resampler.pushSilence(count);
  }

  #push(samples: Int16Array, from: number, count: number): void {
    this.#resampler.push(samples, from, count);
    this.made += count;
  }

  #scale(count: number): void {
    const { scratch } = this;
    const slope = this.#slope;
    let gain = this.#gain;
    let hold = this.#hold;
    for (let i = 0; i < count; i++) {
      if (hold > 0) hold--;
      else gain = Math.max(0, Math.min(1, gain + slope));
      scratch[i] = Math.round(scratch[i]! * gain);
    }
    this.#gain = gain;
    this.#hold = hold;
    if (slope < 0 ? gain === 0 : gain === 1) this.#slope = 0;
  }
}
