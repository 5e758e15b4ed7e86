import type { TimeStretch } from '../src/dsp/index.js';
import { RATE_UNIT, Slot } from '../src/ring/index.js';
import { Arrivals } from './arrivals.js';

/** Slowest pace of speech and of pauses while the buffer is low, at a playback rate of 1. */
const SLOWEST = 0.8;
const SLOWEST_PAUSE = 0.5;
/** Pauses are lengthened until twice the page's target is held, or the target plus this. Listeners do not notice. */
const SPARE_SECONDS = 0.12;
/** Pace at which excess is reduced: of pauses, and of speech if the excess is great. */
const FASTEST_PAUSE = 1.5;
const FASTEST = 1.08;
/**
 * Excess, in seconds, above which pauses are shortened; above `GREAT_EXCESS_SECONDS`, speech is sped up too. The
 * excess counts if it persists for one to two steps of `TROUGH_STEP_SECONDS`.
 */
const EXCESS_SECONDS = 0.06;
const GREAT_EXCESS_SECONDS = 0.16;
/** A greater excess than this comes from a pause of the listener or a full ring, and is not reduced. */
const HUGE_EXCESS_SECONDS = 2;
const TROUGH_STEP_SECONDS = 1;
/** Maximum that is held because of the network. The page can ask for more. */
const TARGET_MAX_SECONDS = 0.4;
/** Seconds of speech with which adaptive playout resumes after an underrun. */
export const RESUME_SECONDS = 0.04;

/**
 * Control of the pace.
 *
 * - `even`: at the playback rate.
 * - `slow`: slower than real time, because little speech is held.
 * - `careful`: only pauses are lengthened, and nothing plays faster than it arrives.
 * - `short-pauses`: pauses are shortened, because too much speech is held.
 * - `fast`: speech is sped up too.
 */
type Pace = 'even' | 'slow' | 'careful' | 'short-pauses' | 'fast';

/**
 * Decides how much speech is held and at which pace it plays, from the state of the network that the ring shows.
 *
 * *Fixed*: holds the page's target and plays at the playback rate. *Adaptive*: begins with the page's target, and holds
 * what recent arrivals would have needed. While less than the page's target is held, speech plays slower. While less
 * than twice that target is held, or less than arrivals require, pauses are lengthened; at a playback rate above 1,
 * speech plays at 1 instead. Speech plays faster only to catch up with a live source, because speech of other sources
 * arrives anyway.
 *
 * Real-time safe after construction. Audio thread.
 */
export class JitterBuffer {
  readonly #header: Int32Array;
  readonly #sampleRate: number;
  readonly #arrivals: Arrivals;
  #lastPace: Pace = 'even';
  #lastRate = 0;
  /** Minimum level of the current step and of the previous one. */
  #troughNow = 0;
  #troughBefore = 0;
  #troughEnd = 0;

  /**
   * @param header - Header of the ring.
   * @param sampleRate - Sample rate of the speech, in Hz.
   * @param write - The ring's write position.
   */
  constructor(header: Int32Array, sampleRate: number, write: number) {
    this.#header = header;
    this.#sampleRate = sampleRate;
    this.#arrivals = new Arrivals(sampleRate, write);
  }

  get #isAdaptive(): boolean {
    return Atomics.load(this.#header, Slot.adaptive) !== 0;
  }

  get #rate(): number {
    return Atomics.load(this.#header, Slot.playbackRate) / RATE_UNIT;
  }

  /** Number of samples to hold before playback starts: the page's target. */
  get start(): number {
    return Math.ceil((Atomics.load(this.#header, Slot.targetDelayMs) * this.#sampleRate) / 1000);
  }

  /** Number of samples to hold before playback resumes after an underrun. */
  get resume(): number {
    return this.#isAdaptive ? Math.min(this.start, RESUME_SECONDS * this.#sampleRate) : this.start;
  }

  /** Number of samples to hold while speech plays. */
  get target(): number {
    const { start } = this;
    if (!this.#isAdaptive) return start;
    return Math.max(start, Math.min(this.#arrivals.rise, TARGET_MAX_SECONDS * this.#sampleRate));
  }

  /** Records what has arrived in the ring. Call it once per quantum; parameters as in `Arrivals.observe`. */
  observe(now: number, write: number, isOpen: boolean): void {
    this.#arrivals.observe(now, write, isOpen);
  }

  /**
   * Sets the pace of `stretch`.
   *
   * @param now - Time in samples.
   * @param level - Number of samples that are held.
   * @param isComplete - True if they include the end of the run, so that the ring cannot run empty.
   */
  steer(stretch: TimeStretch, now: number, level: number, isComplete: boolean): void {
    this.#noteTrough(now, level);
    const pace = isComplete || !this.#isAdaptive ? 'even' : this.#choosePace(level);
    const rate = Atomics.load(this.#header, Slot.playbackRate);
    if (pace === this.#lastPace && rate === this.#lastRate) return;
    this.#lastPace = pace;
    this.#lastRate = rate;
    this.#setPace(stretch, pace);
  }

  #setPace(stretch: TimeStretch, pace: Pace): void {
    const rate = this.#rate;
    const slow = Math.min(1, rate);
    if (pace === 'slow') stretch.setPace(SLOWEST * slow, SLOWEST_PAUSE * slow, false);
    else if (pace === 'careful' && rate > 1) stretch.setPace(1, 1, true);
    else if (pace === 'careful') stretch.setPace(rate, SLOWEST_PAUSE * rate, rate !== 1);
    else if (pace === 'even') stretch.setPace(rate, rate, true);
    else stretch.setPace(pace === 'fast' ? FASTEST : 1, FASTEST_PAUSE, false);
  }

  #choosePace(level: number): Pace {
    const rate = this.#rate;
    const scale = Math.max(1, rate);
    const low = this.start * scale;
    const wanted = low + Math.min(low, SPARE_SECONDS * this.#sampleRate * scale);
    const target = this.target * scale;
    // Speech that is late now is missing from the level, but will arrive.
    const levelWithLate = level + this.#arrivals.behind;
    if (level < low) return 'slow';
    if (level < wanted || levelWithLate < target) return 'careful';
    // At any rate except 1, the level rises or falls in any case.
    if (rate !== 1 || !this.#arrivals.isLive) return 'even';
    const trough = Math.min(this.#troughNow, this.#troughBefore);
    const excess = Math.min(trough - wanted, levelWithLate - target) / this.#sampleRate;
    if (excess > HUGE_EXCESS_SECONDS) return 'even';
    if (excess > GREAT_EXCESS_SECONDS) return 'fast';
    return excess > EXCESS_SECONDS ? 'short-pauses' : 'even';
  }

  /** Keeps the minimum level of the last one to two steps. */
  #noteTrough(now: number, level: number): void {
    if (now >= this.#troughEnd) {
      this.#troughEnd = now + TROUGH_STEP_SECONDS * this.#sampleRate;
      this.#troughBefore = this.#troughNow;
      this.#troughNow = level;
    }
    this.#troughNow = Math.min(this.#troughNow, level);
  }
}
