import { crossFade } from './cross-fade.js';
import { LagSearch } from './lag-search.js';
import { raisedCosine } from './ramp.js';

/** A splice is a cross-fade of so long between two places of the speech. */
const OVERLAP_SECONDS = 0.005;
/** How far a splice may jump: pitch periods of 66 to 200 Hz, as ITU-T G.711 Appendix I looks for them, or multiples. */
const LAG_MIN_SECONDS = 0.005;
const LAG_MAX_SECONDS = 0.015;
/** Speech that is compared around a splice. */
const WINDOW_SECONDS = 0.01;
/** After a place where no splice was good, the next is looked at so much later. */
const HOP_SECONDS = 0.004;

/** Below this fraction of the power of the loudest speech of late it is a pause: -28 dB. */
const PAUSE_POWER = 10 ** -2.8;
/** Mean square in int16 steps below which everything is a pause: -62 dBFS. */
const PAUSE_FLOOR = 700;
/** The loudness of speech is taken from one sample in so many, over so many of them, and forgotten with a half-life. */
const LOUDNESS_STRIDE = 8;
const LOUDNESS_COUNT = 32;
const LOUDNESS_HALF_LIFE_SECONDS = 3;
/** More zero crossings per second are a fricative. */
const FRICATIVE_CROSSINGS_HZ = 4500;
/** Fricatives are steady, and may be spliced, if the power of the two places differs by less: 3 dB. */
const STEADY_POWER = 2;
/** A voice is a transient, and is not spliced, if the power of the two places differs by more: 6 dB. */
const TRANSIENT_POWER = 4;
/** Similarity that a voice must have to be spliced: the first if little is due, the second after `PATIENCE_SECONDS`. */
const SIMILARITY_PICKY = 0.9;
const SIMILARITY_EAGER = 0.5;
const PATIENCE_SECONDS = 0.02;
/** So much may be due at most; then the pace is kept at the cost of quality, or the rest is let go. */
const DUE_SECONDS = 0.05;
/** What was spliced ahead of its time at one pace counts for less and less at pace 1: so much of the time that passes. */
const RECOVERY = 0.25;

/** What a pace is for. */
const SPEECH = 0;
const PAUSES = 1;

/**
 * Makes speech slower or faster without changing its pitch, by repeating or leaving out a pitch period now and then
 * where the signal is so alike that a cross-fade is not heard: in pauses first, then in fricatives and in voices, not
 * in transients (Y. J. Liang, N. Faerber, B. Girod, "Adaptive playout scheduling and loss concealment for voice
 * communication over IP networks", IEEE Transactions on Multimedia 5(4), 2003). Between two splices samples pass
 * unchanged, so that speech at pace 1 is bit-exact.
 *
 * It keeps the books and picks the splices; who calls it moves the samples.
 *
 * Real-time safe after construction. One thread.
 */
export class TimeStretch {
  /** Samples of a cross-fade: so many must follow the place where one begins. */
  readonly overlap: number;
  /** Samples that must lie before a place for the longest splice, and from it on for one that leaves samples out. */
  readonly behind: number;
  readonly ahead: number;
  readonly #search: LagSearch;
  readonly #gains: Float32Array;
  readonly #lagMin: number;
  readonly #lagMax: number;
  readonly #hop: number;
  /** Samples of the window that lie before the cross-fade. */
  readonly #lead: number;
  readonly #patience: number;
  readonly #dueMax: number;
  readonly #crossings: number;
  readonly #decay: number;
  /** What is asked for, by `SPEECH` and `PAUSES`; arrays of doubles, since V8 allocates a number in a field of its own. */
  readonly #pace = Float64Array.of(1, 1);
  /**
   * Samples that ought to have been repeated or left out by now and were not; negative if it were too many. The second
   * as if all of it had been a pause.
   */
  readonly #due = new Float64Array(2);
  #punctual = true;
  /** -1 if the pace asks for repeating, 1 for leaving out. */
  #direction: -1 | 1 = -1;
  /** Samples to be played before the next place is looked at. */
  #wait = 0;
  #loudness = 0;
  #powerSum = 0;
  #powerCount = 0;

  /** @param sampleRate - In Hz. */
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

  /** Forgets what was played, but for how loud it was. */
  reset(): void {
    this.#due.fill(0);
    this.#wait = 0;
  }

  /**
   * Asks for a pace, in input samples per output sample. Takes effect at once.
   *
   * @param speech - For speech, 0.4 to 2.2.
   * @param pauses - For pauses: the same, or farther from 1.
   * @param punctual - What is due is done even where no splice is good; else it is let go in the end.
   */
  setPace(speech: number, pauses: number, punctual: boolean): void {
    const direction = pauses <= 1 ? -1 : 1;
    const due = this.#due;
    if (direction !== this.#direction) due.fill(0);
    if (speech === 1) due[SPEECH] = Math.min(0, due[SPEECH]!);
    if (pauses === 1) due[PAUSES] = Math.min(0, due[PAUSES]!);
    this.#direction = direction;
    this.#pace[SPEECH] = speech;
    this.#pace[PAUSES] = pauses;
    this.#punctual = punctual;
  }

  /** What is asked for speech: input samples per output sample. */
  get pace(): number {
    return this.#pace[SPEECH]!;
  }

  /** Samples to play unchanged before `splice` is to be asked; very many at pace 1. */
  get wait(): number {
    // A small integer: V8 would allocate an infinity anew each time.
    return this.#pace[PAUSES] === 1 ? 2 ** 28 : Math.max(0, this.#wait);
  }

  /** Keeps the books: `samples[at, at + count)` are played unchanged. */
  pass(samples: Int16Array, at: number, count: number): void {
    this.#book(count, count);
    // The same samples count however the speech is cut.
    const first = Math.ceil(at / LOUDNESS_STRIDE) * LOUDNESS_STRIDE;
    for (let i = first; i < at + count; i += LOUDNESS_STRIDE) {
      const sample = samples[i]!;
      this.#powerSum += sample * sample;
      if (++this.#powerCount === LOUDNESS_COUNT) this.#listen();
    }
  }

  #listen(): void {
    this.#loudness = Math.max(this.#powerSum / LOUDNESS_COUNT, this.#loudness * this.#decay);
    this.#powerSum = 0;
    this.#powerCount = 0;
  }

  /** `input` samples have become `output` samples. */
  #book(input: number, output: number): void {
    this.#wait -= output;
    this.#owe(SPEECH, input, output);
    this.#owe(PAUSES, input, output);
  }

  #owe(kind: typeof SPEECH | typeof PAUSES, input: number, output: number): void {
    const pace = this.#pace[kind]!;
    const due = this.#due[kind]! + this.#direction * (output - input / pace);
    if (pace === 1) this.#due[kind] = Math.min(0, due + output * RECOVERY);
    // What was due in speech is not made up for in the next pause all at once.
    else if (kind === PAUSES) this.#due[kind] = Math.min(this.#lagMin, due);
    else this.#due[kind] = this.#punctual ? due : Math.min(this.#dueMax, due);
  }

  /**
   * Where to go from here: the play goes on at `samples[at + lag]`, with a cross-fade.
   *
   * @param at - Index of the sample that is next to be played.
   * @param behind - Samples of the same speech that lie before it.
   * @param ahead - Samples that may be left out from it on, those of the cross-fade included; at least `overlap` more lie
   *   there to repeat.
   * @returns The lag: negative to repeat, positive to leave out, 0 to go straight on.
   */
  splice(samples: Int16Array, at: number, behind: number, ahead: number): number {
    this.#wait = this.#hop;
    const direction = this.#direction;
    if (this.#due[SPEECH]! < 0 && this.#due[PAUSES]! < 0) return 0;
    if (behind < this.behind || ahead < (direction < 0 ? 0 : this.ahead)) return 0;
    this.#search.search(samples, at - this.#lead, this.#lagMin, this.#lagMax, direction);
    if (!this.#acceptable()) return 0;
    const { lag } = this.#search;
    this.#wait = direction < 0 ? (this.overlap >> 1) - lag : 0;
    this.#book(this.overlap + lag, this.overlap);
    return lag;
  }

  #acceptable(): boolean {
    const { similarity, power, powerAtLag, peakPower, crossings } = this.#search;
    if (peakPower < PAUSE_FLOOR + this.#loudness * PAUSE_POWER) {
      return this.#due[PAUSES]! >= 0 || (this.#punctual && this.#due[SPEECH]! >= 0);
    }
    const due = this.#due[SPEECH]!;
    if (due < 0 || this.#pace[SPEECH] === 1) return false;
    if (this.#punctual && due >= this.#dueMax) return true;
    const change = Math.max(power, powerAtLag) / (Math.min(power, powerAtLag) + 1);
    if (crossings >= this.#crossings) return change < STEADY_POWER;
    const patience = Math.min(1, due / this.#patience);
    return (
      change < TRANSIENT_POWER && similarity >= SIMILARITY_PICKY + patience * (SIMILARITY_EAGER - SIMILARITY_PICKY)
    );
  }

  /**
   * Where to go at the end of what there is: back by one pitch period, whatever it sounds like.
   *
   * @param at - Index of the first sample that fades out, `overlap` samples before the end.
   * @param behind - Samples of the same speech that lie before it.
   * @returns The lag, negative; 0 if there is not enough to repeat.
   */
  repeat(samples: Int16Array, at: number, behind: number): number {
    const longest = Math.min(this.#lagMax, behind - this.#lead);
    if (longest < this.#lagMin) return 0;
    this.#search.search(samples, at - this.#lead, this.#lagMin, longest, -1);
    return this.#search.lag;
  }

  /** Writes the cross-fade of the splice that was found last, `overlap` samples, into `target`. */
  fade(samples: Int16Array, at: number, target: Int16Array): void {
    const { lag, similarity } = this.#search;
    crossFade(samples, at, at + lag, Math.round(100 * similarity), this.#gains, target);
  }
}
