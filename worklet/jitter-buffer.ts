import type { TimeStretch } from '../src/dsp/index.js';
import { RATE_UNIT, Slot } from '../src/ring/index.js';
import { Arrivals } from './arrivals.js';
import * as PaceMode from './pace-mode.js';

/** The slowest that speech and pauses are played so that a low buffer lasts, at a playback rate of 1. */
const SLOWEST = 0.8;
const SLOWEST_PAUSE = 0.5;
/** Pauses are drawn out until as much as the page's target is there once more, but not more than this: nobody hears that. */
const SPARE_SECONDS = 0.12;
/** What has piled up behind a source that is paced in real time is caught up so fast: in pauses, and if it is much, in speech. */
const FASTEST_PAUSE = 1.5;
const FASTEST = 1.08;
/** So much more than wanted is too much, and much, in seconds, if it was there all through the last one to two steps. */
const EXCESS_SECONDS = 0.06;
const GREAT_EXCESS_SECONDS = 0.16;
/** As much as this was piled up by a pause of the listener, or waits behind a full ring. */
const HUGE_EXCESS_SECONDS = 2;
const TROUGH_STEP_SECONDS = 1;
/** The network is never given more than this; the page may ask for more. */
const TARGET_MAX_SECONDS = 0.4;
/** After an underrun, adaptive playout goes on with this much. */
const RESUME_SECONDS = 0.04;

/**
 * Decides how much speech is held and at which pace it is played, from what the ring shows of the network.
 *
 * *Fixed*: what the page asks for, at the playback rate. *Adaptive*: begins with what the page asks for, and holds what
 * arrivals of late would have needed. While less than the page's target is there, it plays slower, pauses more so; while
 * not as much again is there, or less than arrivals ask for, it draws out pauses alone (or, at a playback rate above 1,
 * plays at 1). It plays faster only to catch up with a source that is paced in real time: all other speech comes anyway.
 *
 * Real-time safe after construction. Audio thread.
 */
export class JitterBuffer {
  readonly #header: Int32Array;
  readonly #sampleRate: number;
  readonly #arrivals: Arrivals;
  #lastMode: PaceMode.Any = PaceMode.even;
  #lastRate = 0;
  #troughNow = 0;
  #troughBefore = 0;
  #troughEnd = 0;

  /**
   * @param header - Of the ring.
   * @param sampleRate - Of the speech, in Hz.
   * @param write - The ring's write position.
   */
  constructor(header: Int32Array, sampleRate: number, write: number) {
    this.#header = header;
    this.#sampleRate = sampleRate;
    this.#arrivals = new Arrivals(sampleRate, write);
  }

  get #adaptive(): boolean {
    return Atomics.load(this.#header, Slot.adaptive) !== 0;
  }

  get #rate(): number {
    return Atomics.load(this.#header, Slot.playbackRate) / RATE_UNIT;
  }

  /** Samples that are held before playback starts: what the page asks for. */
  get start(): number {
    return Math.ceil((Atomics.load(this.#header, Slot.targetDelayMs) * this.#sampleRate) / 1000);
  }

  /** Samples that are held before playback goes on after an underrun. */
  get resume(): number {
    return this.#adaptive ? Math.min(this.start, RESUME_SECONDS * this.#sampleRate) : this.start;
  }

  /** Samples that would be held if all went well. */
  get target(): number {
    const { start } = this;
    if (!this.#adaptive) return start;
    return Math.max(start, Math.min(this.#arrivals.rise, TARGET_MAX_SECONDS * this.#sampleRate));
  }

  /** Looks at the ring. Call it once per quantum; parameters as in `Arrivals.observe`. */
  observe(now: number, write: number, open: boolean): void {
    this.#arrivals.observe(now, write, open);
  }

  /**
   * Sets the pace.
   *
   * @param now - Time in samples.
   * @param level - Samples that are held.
   * @param complete - The end of what is being played is among them: nothing can run dry.
   */
  steer(stretch: TimeStretch, now: number, level: number, complete: boolean): void {
    this.#noteTrough(now, level);
    const mode = complete || !this.#adaptive ? PaceMode.even : this.#mode(level);
    const rate = Atomics.load(this.#header, Slot.playbackRate);
    if (mode === this.#lastMode && rate === this.#lastRate) return;
    this.#lastMode = mode;
    this.#lastRate = rate;
    this.#setPace(stretch, mode);
  }

  #setPace(stretch: TimeStretch, mode: PaceMode.Any): void {
    const rate = this.#rate;
    const slow = Math.min(1, rate);
    if (mode === PaceMode.slow) stretch.setPace(SLOWEST * slow, SLOWEST_PAUSE * slow, false);
    else if (mode === PaceMode.careful && rate > 1) stretch.setPace(1, 1, true);
    else if (mode === PaceMode.careful) stretch.setPace(rate, SLOWEST_PAUSE * rate, rate !== 1);
    else if (mode === PaceMode.even) stretch.setPace(rate, rate, true);
    else stretch.setPace(mode === PaceMode.fast ? FASTEST : 1, FASTEST_PAUSE, false);
  }

  #mode(level: number): PaceMode.Any {
    const rate = this.#rate;
    const scale = Math.max(1, rate);
    const low = this.start * scale;
    const wanted = low + Math.min(low, SPARE_SECONDS * this.#sampleRate * scale);
    const target = this.target * scale;
    // Speech that is late now is missing from the level, but will come: the level at best is what counts.
    const atBest = level + this.#arrivals.behind;
    if (level < low) return PaceMode.slow;
    if (level < wanted || atBest < target) return PaceMode.careful;
    // At any other rate than 1 the level is bound to rise or to fall.
    if (rate !== 1 || !this.#arrivals.live) return PaceMode.even;
    const excess = Math.min(this.#trough - wanted, atBest - target) / this.#sampleRate;
    if (excess > HUGE_EXCESS_SECONDS) return PaceMode.even;
    if (excess > GREAT_EXCESS_SECONDS) return PaceMode.fast;
    return excess > EXCESS_SECONDS ? PaceMode.shortPauses : PaceMode.even;
  }

  /** Keeps the lowest level of the last one to two steps. */
  #noteTrough(now: number, level: number): void {
    if (now >= this.#troughEnd) {
      this.#troughEnd = now + TROUGH_STEP_SECONDS * this.#sampleRate;
      this.#troughBefore = this.#troughNow;
      this.#troughNow = level;
    }
    this.#troughNow = Math.min(this.#troughNow, level);
  }

  get #trough(): number {
    return Math.min(this.#troughNow, this.#troughBefore);
  }
}
