import type { Resampler, TimeStretch } from '../src/dsp/index.js';
import { type RingMemory, Stat } from '../src/ring/index.js';

/** Repeated speech keeps its level for `HOLD_SECONDS`, then fades to silence, as in ITU-T G.711 Appendix I. */
const HOLD_SECONDS = 0.01;
const FADE_OUT_SECONDS = 0.05;
/** Duration of the fade-in with which speech resumes. */
const FADE_IN_SECONDS = 0.01;
/** Number of samples that are scaled at a time. The cross-fade of a splice must fit at any sample rate. */
const SCRATCH = 4096;

/**
 * State of the concealment.
 *
 * | from                 | to          | when                                                      |
 * | -------------------- | ----------- | --------------------------------------------------------- |
 * | `flowing`            | `repeating` | `starve`: the ring has run dry inside an utterance        |
 * | `repeating`          | `silent`    | the repeated speech has faded out                         |
 * | `repeating`/`silent` | `resuming`  | `resume`: enough speech has arrived                       |
 * | `resuming`           | `flowing`   | `flow`: the repeated speech meets the speech that follows |
 * | any                  | `flowing`   | `reset`: a new run begins                                 |
 */
export type Concealment = 'flowing' | 'repeating' | 'silent' | 'resuming';

/** Receives the events of the concealment. `made` is the value of `Concealer.made` at which an event takes place. */
export interface ConcealmentListener {
  /** The repeated speech has faded out; silence begins. */
  silenced(made: number): void;
  /** Sound begins again after silence. */
  resumed(made: number): void;
  /** An underrun is over. It lasted for `samples` samples, counted as in `Concealer.made`. */
  underrun(samples: number, made: number): void;
}

/**
 * Pushes speech into the resampler, and conceals missing speech: the last pitch period is repeated with decreasing
 * level until silence is reached. When speech resumes, it fades in.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Concealer {
  state: Concealment = 'flowing';
  /** Samples pushed in this run. */
  made = 0;
  /** Buffer for samples that are not in the ring: write them here, then call `emitScratch`. */
  readonly scratch = new Int16Array(SCRATCH);
  /** Length of the fade-in with which speech resumes, in samples. */
  readonly fadeIn: number;
  readonly #samples: Int16Array;
  readonly #stats: Float64Array;
  readonly #stretch: TimeStretch;
  readonly #listener: ConcealmentListener;
  readonly #holdSamples: number;
  readonly #fadeOutSlope: number;
  #resampler: Resampler;
  #gain = 1;
  /** Number of samples for which the gain stays as it is, and the change of the gain per sample after those. */
  #hold = 0;
  #slope = 0;
  /** Value of `made` when the ring ran empty, and when more than a cross-fade was available again; -1 before. */
  #dryAt = 0;
  #freshAt = -1;

  constructor(memory: RingMemory, stretch: TimeStretch, resampler: Resampler, listener: ConcealmentListener) {
    const { sampleRate } = memory;
    this.#samples = memory.samples;
    this.#stats = memory.stats;
    this.#stretch = stretch;
    this.#listener = listener;
    this.#holdSamples = Math.round(HOLD_SECONDS * sampleRate);
    this.#fadeOutSlope = -1 / (FADE_OUT_SECONDS * sampleRate);
    this.fadeIn = Math.round(FADE_IN_SECONDS * sampleRate);
    this.#resampler = resampler;
  }

  /** True if the ring has run empty and there is not enough speech to resume. */
  get isStarved(): boolean {
    return this.state === 'repeating' || this.state === 'silent';
  }

  /** Begins a new run. */
  reset(resampler: Resampler): void {
    this.#resampler = resampler;
    this.state = 'flowing';
    this.made = 0;
    this.#gain = 1;
    this.#slope = 0;
  }

  // --- transitions

  /** Starts the concealment of a ring that has run empty. Samples emitted from now on are held, then faded out. */
  starve(): void {
    this.state = 'repeating';
    this.#dryAt = this.made;
    this.#freshAt = -1;
    this.#hold = this.#holdSamples;
    this.#slope = this.#fadeOutSlope;
  }

  /** Notes when the first speech to resume with arrives, however little. */
  observe(available: number): void {
    if (available > this.#stretch.overlap && this.#freshAt < 0) this.#freshAt = this.made;
  }

  /**
   * Returns true if there is enough speech to resume: `enough` samples, or the end of the run, or some speech that has
   * waited for the duration of `2 * enough` samples.
   *
   * @param available - Number of samples in the ring.
   * @param ended - True if they include the end of the run.
   */
  canResume(available: number, enough: number, ended: boolean): boolean {
    const hasWaited = this.#freshAt >= 0 && this.made - this.#freshAt >= 2 * enough;
    return available >= enough || ended || hasWaited;
  }

  /**
   * Resumes after enough speech has arrived. Samples emitted from now on are faded in.
   *
   * @param audibly - True if sound begins with the next sample; false at the end of a run that has faded out.
   */
  resume(audibly: boolean): void {
    if (audibly && this.state === 'silent') this.#listener.resumed(this.made);
    this.state = 'resuming';
    this.#hold = 0;
    this.#slope = 1 / this.fadeIn;
  }

  /**
   * Ends the concealment: the next sample is one of the speech.
   *
   * @param wasUnderrun - True if speech was late. False if only the report of the run's end was late.
   */
  flow(wasUnderrun: boolean): void {
    this.state = 'flowing';
    if (!wasUnderrun) return;
    this.#stats[Stat.underruns]! += 1;
    this.#listener.underrun(this.made - this.#dryAt, this.made);
  }

  // --- samples

  /**
   * Makes the cross-fade from the end of the speech to one pitch period before. Without a pitch period to repeat, fades
   * out within the length of the cross-fade instead.
   *
   * @param at - Index of the first sample of the cross-fade, `stretch.overlap` samples before the end.
   * @param behind - Number of samples of the run before `at` that can be repeated.
   * @returns Number of samples before `at` that must be emitted next.
   */
  repeat(at: number, behind: number): number {
    const { overlap } = this.#stretch;
    const lag = this.#stretch.repeat(this.#samples, at, behind);
    this.#stats[Stat.concealedSamples]! += overlap;
    if (lag === 0) {
      this.#hold = 0;
      this.#slope = -1 / overlap;
      this.emit(at, overlap);
      return 0;
    }
    this.#stretch.fade(this.#samples, at, this.scratch);
    this.emitScratch(overlap);
    return -lag - overlap;
  }

  /** Pushes silence after the end of the run, because the resampler looks ahead. */
  pad(count: number): void {
    this.#resampler.pushSilence(count);
  }

  /** Emits silence in place of `count` samples of speech. */
  emitSilence(count: number): void {
    this.#stats[Stat.concealedSamples]! += count;
    this.#stats[Stat.silentConcealedSamples]! += count;
    this.#resampler.pushSilence(count);
    this.made += count;
  }

  /** Emits `count` samples of the ring from `index` on. */
  emit(index: number, count: number): void {
    const samples = this.#samples;
    if (this.#gain === 1 && this.#slope === 0) {
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
    if (this.#gain !== 1 || this.#slope !== 0) this.#applyGain(count);
    this.#push(this.scratch, 0, count);
    if (this.#slope < 0 && this.#gain === 0) {
      this.#slope = 0;
      this.state = 'silent';
      this.#listener.silenced(this.made);
    } else if (this.#slope > 0 && this.#gain === 1) {
      this.#slope = 0;
    }
  }

  #push(samples: Int16Array, from: number, count: number): void {
    this.#resampler.push(samples, from, count);
    this.made += count;
  }

  #applyGain(count: number): void {
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
  }
}
