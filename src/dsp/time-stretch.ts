import { crossFade } from './cross-fade.js';
import { LagSearch } from './lag-search.js';
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
/** The loudness is the maximum mean square of 32 samples, taken from every 8th sample; it decays with a half-life. */
const LOUDNESS_STRIDE = 8;
const LOUDNESS_COUNT = 32;
const LOUDNESS_HALF_LIFE_SECONDS = 3;
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
/** Maximum that can be due. Above it, any splice is accepted if the pace is punctual; otherwise the rest is dropped. */
const DUE_SECONDS = 0.05;
/** Rate at which splices ahead of time are forgotten at pace 1, in seconds per second. */
const RECOVERY = 0.25;

/** Indices of the pace of speech and of the pace of pauses. */
const SPEECH = 0;
const PAUSES = 1;

/**
 * Makes speech slower or faster without changing its pitch: repeats or leaves out pitch periods where the signal is so
 * similar that the cross-fade is inaudible. Pauses are spliced first, then fricatives and voiced sounds, but not
 * transients (Y. J. Liang, N. Faerber, B. Girod, "Adaptive playout scheduling and loss concealment for voice
 * communication over IP networks", IEEE Transactions on Multimedia 5(4), 2003). Between two splices, samples pass
 * unchanged, so speech at pace 1 is bit-exact.
 *
 * This class counts the samples that are due and chooses the splices. The caller moves the samples.
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
  readonly #dueMax: number;
  readonly #crossings: number;
  readonly #decay: number;
  /** The pace of `SPEECH` and of `PAUSES`. Arrays of doubles, because V8 allocates a number for a field. */
  readonly #pace = Float64Array.of(1, 1);
  /**
   * Samples that must be repeated or left out to keep the pace; negative if there were too many. Indexed by `SPEECH`
   * and `PAUSES`, each computed as if its pace applied to everything.
   */
  readonly #due = new Float64Array(2);
  #isPunctual = true;
  /** -1 to repeat samples, 1 to leave samples out. */
  #direction: -1 | 1 = -1;
  /** Output samples to pass before the next place is tried. */
  #wait = 0;
  #loudness = 0;
  #powerSum = 0;
  #powerCount = 0;

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
    this.#dueMax = samples(DUE_SECONDS);
    this.#crossings = FRICATIVE_CROSSINGS_HZ / sampleRate;
    const loudnessSeconds = (LOUDNESS_STRIDE * LOUDNESS_COUNT) / sampleRate;
    this.#decay = 0.5 ** (loudnessSeconds / LOUDNESS_HALF_LIFE_SECONDS);
    this.#gains = raisedCosine(this.overlap);
    this.#search = new LagSearch(sampleRate, window, this.#lagMax);
  }

  /** Begins a new run. Keeps the pace and the loudness. */
  reset(): void {
    this.#due.fill(0);
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
    const direction = pauses <= 1 ? -1 : 1;
    const due = this.#due;
    if (direction !== this.#direction) due.fill(0);
    if (speech === 1) due[SPEECH] = Math.min(0, due[SPEECH]!);
    if (pauses === 1) due[PAUSES] = Math.min(0, due[PAUSES]!);
    this.#direction = direction;
    this.#pace[SPEECH] = speech;
    this.#pace[PAUSES] = pauses;
    this.#isPunctual = isPunctual;
  }

  /** Pace of speech, in input samples per output sample. */
  get pace(): number {
    return this.#pace[SPEECH]!;
  }

  /** Samples to pass unchanged before the next call of `splice`; a very large number at pace 1. */
  get wait(): number {
    // A small integer, because V8 would allocate an infinity each time.
    return this.#pace[PAUSES] === 1 ? 2 ** 28 : Math.max(0, this.#wait);
  }

  /** Records that `samples[at, at + count)` pass unchanged. */
  pass(samples: Int16Array, at: number, count: number): void {
    this.#account(count, count);
    // The samples that are measured do not depend on how the stream is split into calls.
    const first = Math.ceil(at / LOUDNESS_STRIDE) * LOUDNESS_STRIDE;
    for (let i = first; i < at + count; i += LOUDNESS_STRIDE) {
      const sample = samples[i]!;
      this.#powerSum += sample * sample;
      if (++this.#powerCount === LOUDNESS_COUNT) this.#updateLoudness();
    }
  }

  #updateLoudness(): void {
    this.#loudness = Math.max(this.#powerSum / LOUDNESS_COUNT, this.#loudness * this.#decay);
    this.#powerSum = 0;
    this.#powerCount = 0;
  }

  /** Records that `input` samples became `output` samples. */
  #account(input: number, output: number): void {
    this.#wait -= output;
    this.#addDue(SPEECH, input, output);
    this.#addDue(PAUSES, input, output);
  }

  #addDue(kind: typeof SPEECH | typeof PAUSES, input: number, output: number): void {
    const pace = this.#pace[kind]!;
    const due = this.#due[kind]! + this.#direction * (output - input / pace);
    if (pace === 1) this.#due[kind] = Math.min(0, due + output * RECOVERY);
    // The next pause need not compensate at once for everything that was due in speech.
    else if (kind === PAUSES) this.#due[kind] = Math.min(this.#lagMin, due);
    else this.#due[kind] = this.#isPunctual ? due : Math.min(this.#dueMax, due);
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
    const direction = this.#direction;
    if (this.#due[SPEECH]! < 0 && this.#due[PAUSES]! < 0) return 0;
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
    if (peakPower < PAUSE_FLOOR + this.#loudness * PAUSE_POWER) {
      return this.#due[PAUSES]! >= 0 || (this.#isPunctual && this.#due[SPEECH]! >= 0);
    }
    const due = this.#due[SPEECH]!;
    if (due < 0 || this.#pace[SPEECH] === 1) return false;
    if (this.#isPunctual && due >= this.#dueMax) return true;
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
