import { wavHeader } from '../base/wav-header.js';
import { UnsupportedFormat } from '../formats/unsupported-format.js';
import type { RateConverter } from './rate-converter.js';

/** A WAV file of unknown length with mono samples of 16 bits, made part by part. */
export class WavOutput {
  /** Sample rate of the file, in Hz; 0 until it is known. */
  rate: number;
  /** Parts that have not been taken yet. */
  readonly made: Uint8Array[] = [];
  #hasHeader = false;
  #converter: RateConverter | undefined;

  /** @param rate - Sample rate in Hz; 0 for that of the first samples. */
  constructor(rate: number) {
    this.rate = rate;
  }

  /**
   * Adds samples.
   *
   * @param convertible - Makes the conversion from another sample rate; undefined if it is not loaded.
   * @throws {UnsupportedFormat} If it is not loaded, but needed.
   */
  add(samples: Int16Array<ArrayBuffer>, sampleRate: number, convertible: typeof RateConverter | undefined): void {
    if (!this.#hasHeader) {
      this.rate ||= sampleRate;
      this.#hasHeader = true;
      this.made.push(wavHeader(this.rate, 1, 16, null));
    }
    if (this.#converter?.fromRate !== sampleRate) this.end();
    if (sampleRate !== this.rate) {
      if (!convertible) throw new UnsupportedFormat('a stream whose sample rate changes within a file');
      this.#converter ??= new convertible(sampleRate, this.rate);
    }
    this.#push(this.#converter?.push(samples) ?? samples);
  }

  /** Adds the samples that a conversion still has. */
  end(): void {
    if (this.#converter) this.#push(this.#converter.end());
    this.#converter = undefined;
  }

  #push(samples: Int16Array<ArrayBuffer>): void {
    if (samples.length > 0) this.made.push(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }
}
