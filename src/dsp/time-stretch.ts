import { crossFade } from './cross-fade.js';
import { DueSamples } from './due-samples.js';
import { LagSearch } from './lag-search.js';
import { Loudness } from './loudness.js';
import { raisedCosine } from './ramp.js';

/** Duration of a splice, which is a cross-fade between two places of the speech. */
const OVERLAP_SECONDS = 0.005;
/** Range of the jump of a splice: pitch periods of 66 to 200 Hz, as in ITU-T G.711 Appendix I, or multiples. */
const LAG_MIN_SECONDS = 0.005;
const LAG_MAX_SECONDS = 0.015;
/** Duration of the speech that is compared around a splice. */
const WINDOW_SECONDS = 0.01;
/** Time from a place without a good splice to the next place that is tried. */
const HOP_SECONDS = 0.004;

/** Speech below this fraction of the recent loudness is a pause: -28 dB. */
const PAUSE_POWER = 10 ** -2.8;
/** Speech with a mean square below this, in int16 steps, is always a pause: -62 dBFS. */
const PAUSE_FLOOR = 700;
/** Speech with more zero crossings per second than this is a fricative. */
const FRICATIVE_CROSSINGS_HZ = 4500;
/** A fricative can be spliced if the powers of the two places differ by less than this: 3 dB. */
const STEADY_POWER = 2;
/** A voiced sound is a transient, and is not spliced, if the powers of the two places differ by this or more: 6 dB. */
const TRANSIENT_POWER = 4;
/** Similarity that a voiced sound needs: the first value if little is due, the second from `PATIENCE_SECONDS` on. */
const SIMILARITY_PICKY = 0.9;
const SIMILARITY_EAGER = 0.5;
const PATIENCE_SECONDS = 0.02;

/**
 * Makes speech slower or faster without changing its pitch: repeats or leaves out pitch periods where the signal is so
 * similar that the cross-fade is inaudible. Pauses are spliced first, then fricatives and voiced sounds, but not
 * transients (Y. J. Liang, N. Faerber, B. Girod, "Adaptive playout scheduling and loss concealment for voice
 * communication over IP networks", IEEE Transactions on Multimedia 5(4), 2003). Between two splices, samples pass
 * unchanged, so speech at pace 1 is bit-exact.
 *
 * This class chooses the splices. The caller moves the samples.
 *
 * Real-time safe after construction. One thread.
 */
export class TimeStretch {
  /** Length of a cross-fade in samples. At least this many samples must follow the place where it begins. */
  readonly overlap: number;
  /** Samples that the longest splice needs before its place, and from its place on to leave samples out. */
  readonly behind: number;
  readonly ahead: number;
  readonly #search: LagSearch;
  readonly #gains: Float32Array;
  readonly #lagMin: number;
  readonly #lagMax: number;
  readonly #hop: number;
  /** Samples of the window that come before the cross-fade. */
  readonly #lead: number;
  readonly #patience: number;
  readonly #crossings: number;
  readonly #due: DueSamples;
  readonly #loudness: Loudness;
  /** Output samples to pass before the next place is tried. */
  #wait = 0;

  /** @param sampleRate - Sample rate in Hz. */
  constructor(sampleRate: number) {
    const samples = (seconds: number): number => Math.round(seconds * sampleRate);
    const window = samples(WINDOW_SECONDS);
    this.overlap = samples(OVERLAP_SECONDS);
    this.#lagMin = samples(LAG_MIN_SECONDS);
    this.#lagMax = samples(LAG_MAX_SECONDS);
    this.#hop = samples(HOP_SECONDS);
    this.#lead = window - this.overlap;
    this.behind = this.#lead + this.#lagMax;
    this.ahead = this.overlap + this.#lagMax;
    this.#patience = samples(PATIENCE_SECONDS);
    this.#crossings = FRICATIVE_CROSSINGS_HZ / sampleRate;
    this.#due = new DueSamples(sampleRate, this.#lagMin);
    this.#loudness = new Loudness(sampleRate);
    this.#gains = raisedCosine(this.overlap);
    this.#search = new LagSearch(sampleRate, window, this.#lagMax);
  }

  /** Begins a new run. Keeps the pace and the loudness. */
  reset(): void {
    this.#due.reset();
    this.#wait = 0;
  }

  /**
   * Sets the pace, in input samples per output sample.
   *
   * @param speech - Pace of speech, 0.4 to 2.2.
   * @param pauses - Pace of pauses: the same, or farther from 1.
   * @param isPunctual - True to splice what is due even where no splice is good. If false, it is dropped in the end.
   */
  setPace(speech: number, pauses: number, isPunctual: boolean): void {
    this.#due.setPace(speech, pauses, isPunctual);
  }

  /** Pace of speech, in input samples per output sample. */
  get pace(): number {
    return this.#due.pace;
  }

  /** Samples to pass unchanged before the next call of `splice`; a very large number at pace 1. */
  get wait(): number {
    // A small integer, because V8 would allocate an infinity each time.
    return this.#due.isEven ? 2 ** 28 : Math.max(0, this.#wait);
  }

  /** Records that `samples[at, at + count)` pass unchanged. */
  pass(samples: Int16Array, at: number, count: number): void {
    this.#account(count, count);
    this.#loudness.add(samples, at, count);
  }

  /** Records that `input` samples became `output` samples. */
  #account(input: number, output: number): void {
    this.#wait -= output;
    this.#due.add(input, output);
  }

  /**
   * Looks for a splice from `samples[at]` to `samples[at + lag]`.
   *
   * @param at - Index of the next sample.
   * @param behind - Number of samples of the same speech before `at`.
   * @param ahead - Number of samples from `at` on that can be left out, including those of the cross-fade. At least
   *   `overlap` samples must follow in any case.
   * @returns The lag in samples: negative to repeat, positive to leave out, 0 for no splice.
   */
  splice(samples: Int16Array, at: number, behind: number, ahead: number): number {
    this.#wait = this.#hop;
    const { direction } = this.#due;
    if (!this.#due.isAny) return 0;
    if (behind < this.behind || ahead < (direction < 0 ? 0 : this.ahead)) return 0;
    this.#search.search(samples, at - this.#lead, this.#lagMin, this.#lagMax, direction);
    if (!this.#isAcceptable()) return 0;
    this.#search.use();
    const { lag } = this.#search;
    this.#wait = direction < 0 ? (this.overlap >> 1) - lag : 0;
    this.#account(this.overlap + lag, this.overlap);
    return lag;
  }

  #isAcceptable(): boolean {
    const { similarity, power, powerAtLag, peakPower, crossings } = this.#search;
    if (peakPower < PAUSE_FLOOR + this.#loudness.power * PAUSE_POWER) return this.#due.isInPause;
    const due = this.#due.inSpeech;
    if (due < 0) return false;
    if (this.#due.isUrgent) return true;
    const change = Math.max(power, powerAtLag) / (Math.min(power, powerAtLag) + 1);
    if (crossings >= this.#crossings) return change < STEADY_POWER;
    const patience = Math.min(1, due / this.#patience);
    return (
      change < TRANSIENT_POWER && similarity >= SIMILARITY_PICKY + patience * (SIMILARITY_EAGER - SIMILARITY_PICKY)
    );
  }

  /**
   * Looks for the best splice back by a pitch period at the end of the speech, regardless of its quality.
   *
   * @param at - Index of the first sample that fades out, `overlap` samples before the end.
   * @param behind - Number of samples of the same speech before `at`.
   * @returns The lag in samples, negative; 0 if there is not enough to repeat.
   */
  repeat(samples: Int16Array, at: number, behind: number): number {
    const longest = Math.min(this.#lagMax, behind - this.#lead);
    if (longest < this.#lagMin) return 0;
    this.#search.search(samples, at - this.#lead, this.#lagMin, longest, -1);
    return this.#search.lag;
  }

  /** Writes the cross-fade of the last splice found, `overlap` samples, to `target`. */
  fade(samples: Int16Array, at: number, target: Int16Array): void {
    const { lag, similarity } = this.#search;
    crossFade(samples, at, at + lag, Math.round(100 * similarity), this.#gains, target);
  }
}
