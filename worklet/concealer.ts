import type { TimeStretch } from '../src/dsp/index.js';
import { type RingMemory, Stat } from '../src/ring/index.js';
import type { ResamplerFeed } from './resampler-feed.js';

/** Repeated speech keeps its level for `HOLD_SECONDS`, then fades to silence, as in ITU-T G.711 Appendix I. */
const HOLD_SECONDS = 0.01;
const FADE_OUT_SECONDS = 0.05;
/** Duration of the fade-in with which speech resumes. */
const FADE_IN_SECONDS = 0.01;

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

/** Receives the events of the concealment. `made` is the value of `ResamplerFeed.made` at which an event takes place. */
export interface ConcealmentListener {
  /** The repeated speech has faded out; silence begins. */
  silenced(made: number): void;
  /** Sound begins again after silence. */
  resumed(made: number): void;
  /** An underrun is over. It lasted for `samples` samples, counted as in `ResamplerFeed.made`. */
  underrun(samples: number, made: number): void;
}

/**
 * Conceals missing speech: the last pitch period is repeated with decreasing level until silence is reached. When speech
 * resumes, it fades in.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Concealer {
  state: Concealment = 'flowing';
  /** Length of the fade-in with which speech resumes, in samples. */
  readonly fadeIn: number;
  readonly #feed: ResamplerFeed;
  readonly #samples: Int16Array;
  readonly #stats: Float64Array;
  readonly #stretch: TimeStretch;
  readonly #listener: ConcealmentListener;
  readonly #hold: number;
  readonly #fadeOut: number;
  /** Value of `made` when the ring ran empty, and when more than a cross-fade was available again; -1 before. */
  #dryAt = 0;
  #freshAt = -1;

  constructor(memory: RingMemory, stretch: TimeStretch, feed: ResamplerFeed, listener: ConcealmentListener) {
    const { sampleRate } = memory;
    this.#feed = feed;
    this.#samples = memory.samples;
    this.#stats = memory.stats;
    this.#stretch = stretch;
    this.#listener = listener;
    this.#hold = Math.round(HOLD_SECONDS * sampleRate);
    this.#fadeOut = FADE_OUT_SECONDS * sampleRate;
    this.fadeIn = Math.round(FADE_IN_SECONDS * sampleRate);
  }

  /** True if the ring has run empty and there is not enough speech to resume. */
  get isStarved(): boolean {
    return this.state === 'repeating' || this.state === 'silent';
  }

  /** Begins a new run. */
  reset(): void {
    this.state = 'flowing';
  }

  // --- transitions

  /** Starts the concealment of a ring that has run empty. Samples emitted from now on are held, then faded out. */
  starve(): void {
    this.state = 'repeating';
    this.#dryAt = this.#feed.made;
    this.#freshAt = -1;
    this.#feed.fadeOut(this.#fadeOut, this.#hold);
  }

  /** Notes when the first speech to resume with arrives, however little. */
  observe(available: number): void {
    if (available > this.#stretch.overlap && this.#freshAt < 0) this.#freshAt = this.#feed.made;
  }

  /**
   * Returns true if there is enough speech to resume: `enough` samples, or the end of the run, or some speech that has
   * waited for the duration of `2 * enough` samples.
   *
   * @param available - Number of samples in the ring.
   * @param ended - True if they include the end of the run.
   */
  canResume(available: number, enough: number, ended: boolean): boolean {
    const hasWaited = this.#freshAt >= 0 && this.#feed.made - this.#freshAt >= 2 * enough;
    return available >= enough || ended || hasWaited;
  }

  /**
   * Resumes after enough speech has arrived. Samples emitted from now on are faded in.
   *
   * @param audibly - True if sound begins with the next sample; false at the end of a run that has faded out.
   */
  resume(audibly: boolean): void {
    if (audibly && this.state === 'silent') this.#listener.resumed(this.#feed.made);
    this.state = 'resuming';
    this.#feed.fadeIn(this.fadeIn);
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
    this.#listener.underrun(this.#feed.made - this.#dryAt, this.#feed.made);
  }

  // --- samples

  /**
   * Makes the cross-fade from the end of the speech to one pitch period before. Without a pitch period to repeat, fades
   * out within the length of the cross-fade instead.
   *
   * @param at - Index of the first sample of the cross-fade, `stretch.overlap` samples before the end.
   * @param behind - Number of samples of the run before `at` that can be repeated.
   * @returns Number of samples before `at` that must be emitted next, with `emit`.
   */
  repeat(at: number, behind: number): number {
    const { overlap } = this.#stretch;
    const lag = this.#stretch.repeat(this.#samples, at, behind);
    if (lag === 0) {
      this.#feed.fadeOut(overlap, 0);
      this.emit(at, overlap);
      return 0;
    }
    this.#stretch.fade(this.#samples, at, this.#feed.scratch);
    this.#feed.emitScratch(overlap);
    this.#note(overlap);
    return this.state === 'silent' ? 0 : -lag - overlap;
  }

  /** Emits silence in place of `count` samples of speech. */
  emitSilence(count: number): void {
    this.#feed.emitSilence(count);
    this.#stats[Stat.concealedSamples]! += count;
    this.#stats[Stat.silentConcealedSamples]! += count;
  }

  /** Emits `count` samples of the ring from `index` on, in place of speech. */
  emit(index: number, count: number): void {
    this.#feed.emit(index, count);
    this.#note(count);
  }

  /** Counts samples that were emitted in place of speech, and notes that they have faded out. */
  #note(count: number): void {
    this.#stats[Stat.concealedSamples]! += count;
    if (this.state !== 'repeating' || !this.#feed.isFaded) return;
    this.state = 'silent';
    this.#listener.silenced(this.#feed.made);
  }
}
