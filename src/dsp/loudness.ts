/** The loudness is the maximum mean square of 32 samples, taken from every 8th sample; it decays with a half-life. */
const STRIDE = 8;
const COUNT = 32;
const HALF_LIFE_SECONDS = 3;

/** Measures how loud speech was recently. Real-time safe after construction. One thread. */
export class Loudness {
  /** Mean square, in int16 steps. */
  power = 0;
  readonly #decay: number;
  #sum = 0;
  #count = 0;

  /** @param sampleRate - Sample rate in Hz. */
  constructor(sampleRate: number) {
    this.#decay = 0.5 ** ((STRIDE * COUNT) / sampleRate / HALF_LIFE_SECONDS);
  }

  /** Adds `samples[at, at + count)`. */
  add(samples: Int16Array, at: number, count: number): void {
    // The samples that are measured do not depend on how the stream is split into calls.
    const first = Math.ceil(at / STRIDE) * STRIDE;
    for (let i = first; i < at + count; i += STRIDE) {
      const sample = samples[i]!;
      this.#sum += sample * sample;
      if (++this.#count === COUNT) this.#update();
    }
  }

  #update(): void {
    this.power = Math.max(this.#sum / COUNT, this.power * this.#decay);
    this.#sum = 0;
    this.#count = 0;
  }
}
