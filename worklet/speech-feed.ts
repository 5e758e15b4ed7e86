import { type Resampler, TimeStretch } from '../src/dsp/index.js';
import { type RingMemory, Stat } from '../src/ring/index.js';
import type { JitterBuffer } from './jitter-buffer.js';
import { TimeMap } from './time-map.js';
import type { UtteranceReader } from './utterance-reader.js';

/** As in ITU-T G.711 Appendix I: what is repeated is as loud as before for 10 ms, and silent after 60 ms. */
const CONCEAL_HOLD_SECONDS = 0.01;
const CONCEAL_FADE_SECONDS = 0.05;
/** Speech that comes after a gap fades in over this long, over the last that was heard before it. */
const RESUME_SECONDS = 0.01;
/** Farther than anything, and yet a small integer: V8 would allocate an infinity anew each time. */
const FAR = 2 ** 28;
/** Samples that are shaped at a time; a cross-fade must fit for any rate. */
const SCRATCH = 4096;

/** What the feed tells, with the sample of what it makes at which it holds. */
export interface FeedListener {
  /** Nothing is left to repeat: silence begins. */
  silenced(made: number): void;
  /** Speech goes on after silence. */
  resumed(made: number): void;
  /** An underrun is over, after so many samples were made without speech. */
  underrun(samples: number, made: number): void;
}

/**
 * Makes the resampler's input from one run of speech: as it is, stretched, or, where there is none, from what was heard
 * last.
 *
 * The last few samples that have come are always held back, so that there is something to fade out of if no more come:
 * then one pitch period is repeated, softer each time, and silence follows. Nothing is skipped over that; the next
 * sample to come goes on where the last one ended.
 *
 * Real-time safe after construction. Audio thread.
 */
export class SpeechFeed {
  /** Samples of the run that were read, and samples made of them. */
  read = 0;
  made = 0;
  /** All of the run has been made. */
  closed = false;
  /** The run has run dry. */
  dry = false;
  readonly stretch: TimeStretch;
  readonly #memory: RingMemory;
  readonly #stats: Float64Array;
  readonly #reader: UtteranceReader;
  readonly #jitter: JitterBuffer;
  readonly #listener: FeedListener;
  #resampler: Resampler;
  readonly #map = new TimeMap();
  readonly #scratch = new Int16Array(SCRATCH);
  readonly #hold: number;
  readonly #fall: number;
  readonly #rise: number;
  readonly #ramp: number;
  readonly #stretches: boolean;
  /** Samples that have been read and are to be made again. */
  #replay = 0;
  #gain = 1;
  /** Change of the gain per sample, once `#held` samples have been made at the same. */
  #slope = 0;
  #held = 0;
  /** The speech to go on with has come. */
  #recovered = false;
  /** `made` when it ran dry, and when the first sample after that had come. */
  #drySince = 0;
  #freshSince = 0;

  constructor(
    memory: RingMemory,
    reader: UtteranceReader,
    jitter: JitterBuffer,
    resampler: Resampler,
    listener: FeedListener,
  ) {
    const { sampleRate } = memory;
    this.#memory = memory;
    this.#stats = memory.stats;
    this.#reader = reader;
    this.#jitter = jitter;
    this.#resampler = resampler;
    this.#listener = listener;
    this.stretch = new TimeStretch(sampleRate);
    this.#hold = Math.round(CONCEAL_HOLD_SECONDS * sampleRate);
    this.#fall = -1 / (CONCEAL_FADE_SECONDS * sampleRate);
    this.#ramp = Math.round(RESUME_SECONDS * sampleRate);
    this.#rise = 1 / this.#ramp;
    this.#stretches = this.stretch.behind + this.stretch.ahead <= memory.mirror;
    this.#map.reset();
  }

  /** Samples that must have come for speech to begin, at the least. */
  get least(): number {
    return this.stretch.overlap + 1;
  }

  /** Samples that the next utterance must bring to follow in the same run. */
  get #joining(): number {
    return Math.max(this.#jitter.start, this.least);
  }

  /** Speech is silent because none has come. */
  get silent(): boolean {
    return this.dry && this.#gain === 0;
  }

  /** Sample of the run that is heard at sample `made` of what was made, both whole; only forward. */
  speechAt(made: number): number {
    return Math.min(this.read, this.#map.at(made));
  }

  /** Sample of the run before which everything may be overwritten once it was heard. */
  get kept(): number {
    return this.closed ? this.read : Math.max(0, this.read - this.stretch.behind);
  }

  /** Sets out for a run that begins at the reader's position. */
  open(resampler: Resampler): void {
    this.#resampler = resampler;
    this.#map.reset();
    this.stretch.reset();
    this.read = 0;
    this.made = 0;
    this.closed = false;
    this.dry = false;
    this.#recovered = false;
    this.#replay = 0;
    this.#gain = 1;
    this.#slope = 0;
  }

  /** Pushes at least `needed` samples into the resampler. */
  feed(needed: number): void {
    let rest = needed;
    while (rest > 0) rest -= this.#step(rest);
  }

  /** Samples that will still be made until the run ends; `FAR` while that is more than 20 ms away or not known. */
  get left(): number {
    if (this.closed) return 0;
    this.#reader.look(this.stretch.ahead + this.stretch.overlap - 1, this.#joining);
    return this.#reader.ended && !this.dry ? this.#replay + this.#reader.ahead : FAR;
  }

  #step(needed: number): number {
    const reader = this.#reader;
    const { overlap, ahead: reach } = this.stretch;
    const near = reach + overlap;
    if (this.closed) {
      this.#resampler.pushSilence(needed);
      return needed;
    }
    if (this.dry && !this.#recovered) this.#recover();
    if (this.#replay > 0) return this.#repeat(Math.min(needed, this.#replay));
    reader.look(Math.max(needed + overlap, near), this.#joining);
    const { ahead, ended } = reader;
    if (this.dry) {
      if (!this.#recovered) return this.#conceal(needed);
      this.#endDry();
    }
    if (ended && ahead === 0) {
      reader.takeEnd(this.made);
      this.closed = true;
      return 0;
    }
    // So near the end nothing is spliced any more: how long it will take must be known for the ramp.
    const straight = !this.#stretches || (ended && ahead < near);
    const spare = ended ? ahead : ahead - overlap;
    if (spare <= 0) {
      this.#runDry();
      return this.#conceal(needed);
    }
    reader.takeMarks(this.made);
    const { ring } = reader;
    // No splice leaps over a mark, or into what is held back.
    const run = ring.marks > 0 ? Math.min(spare, ring.markDistance(0)) : spare;
    if (!straight && this.stretch.wait === 0 && this.#splice(run)) return overlap;
    const wait = straight ? needed : this.stretch.wait;
    const count = Math.min(needed, run, wait, ring.contiguous);
    this.stretch.pass(this.#memory.samples, ring.index, count);
    this.#emit(ring.index, count);
    this.#advance(count);
    return count;
  }

  #advance(count: number): void {
    this.#reader.ring.advance(count);
    this.read += count;
  }

  /** Index of a sample of the ring, `back` samples before the next to be read, that has all of them after it. */
  #indexBack(back: number): number {
    return (this.#reader.ring.position - back) & (this.#memory.capacity - 1);
  }

  /** Goes somewhere else than straight on, if the stretch wants to. */
  #splice(ahead: number): boolean {
    const { stretch } = this;
    const { samples } = this.#memory;
    const behind = Math.min(this.read, stretch.behind);
    const at = this.#indexBack(behind) + behind;
    const lag = stretch.splice(samples, at, behind, ahead);
    if (lag === 0) return false;
    stretch.fade(samples, at, this.#scratch);
    if (lag < 0) {
      this.#map.go(this.made, this.read);
      this.#map.go(this.made - lag, this.read);
      this.#replay = -lag - stretch.overlap;
      this.#stats[Stat.insertedSamples]! -= lag;
    } else {
      const count = lag + stretch.overlap;
      this.#map.go(this.made, this.read);
      this.#map.go(this.made + stretch.overlap, this.read + count);
      this.#advance(count);
      this.#stats[Stat.removedSamples]! += lag;
    }
    this.#emitScratch(stretch.overlap);
    return true;
  }

  /** Makes samples again. */
  #repeat(count: number): number {
    const index = this.#indexBack(this.#replay);
    const most = Math.min(count, this.#memory.samples.length - index);
    if (this.dry) this.#stats[Stat.concealedSamples]! += most;
    else this.stretch.pass(this.#memory.samples, index, most);
    this.#replay -= most;
    this.#emit(index, most);
    return most;
  }

  // --- when nothing has come

  #runDry(): void {
    this.dry = true;
    this.#recovered = false;
    this.#drySince = this.made;
    this.#freshSince = -1;
    this.#held = this.#hold;
    this.#slope = this.#fall;
    this.#map.go(this.made, this.read);
  }

  /** Looks whether there is enough to go on with. */
  #recover(): void {
    const reader = this.#reader;
    const { overlap } = this.stretch;
    const { available } = reader.ring;
    const enough = Math.max(this.#jitter.resume, this.least);
    if (available > overlap && this.#freshSince < 0) this.#freshSince = this.made;
    const patient = this.#freshSince >= 0 && this.made - this.#freshSince >= 2 * enough;
    reader.look(enough, this.#joining);
    if (available < enough && !reader.ended && !patient) return;
    this.#recovered = true;
    if (this.silent) {
      // Without a new sample, what was held back has been heard fading.
      if (reader.ended && reader.ahead <= overlap) {
        this.#advance(reader.ahead);
      } else {
        this.#replay = Math.min(this.read, this.#ramp);
        this.#listener.resumed(this.made);
      }
    }
    this.#held = 0;
    this.#slope = this.#rise;
  }

  #endDry(): void {
    const { ended, ahead } = this.#reader;
    this.dry = false;
    this.#map.go(this.made, this.read);
    // The word of the end may be all that was late.
    if (ended && ahead <= this.stretch.overlap) return;
    this.#stats[Stat.underruns]! += 1;
    this.#listener.underrun(this.made - this.#drySince, this.made);
  }

  #conceal(needed: number): number {
    const { stretch } = this;
    const { samples } = this.#memory;
    if (this.#gain === 0) {
      this.#stats[Stat.concealedSamples]! += needed;
      this.#stats[Stat.silentConcealedSamples]! += needed;
      this.#resampler.pushSilence(needed);
      this.made += needed;
      return needed;
    }
    const behind = Math.min(this.read, stretch.behind);
    const at = this.#indexBack(behind) + behind;
    const lag = this.#stretches ? stretch.repeat(samples, at, behind) : 0;
    this.#stats[Stat.concealedSamples]! += stretch.overlap;
    if (lag === 0) {
      this.#held = 0;
      this.#slope = -1 / stretch.overlap;
      this.#emit(at, stretch.overlap);
    } else {
      stretch.fade(samples, at, this.#scratch);
      this.#replay = -lag - stretch.overlap;
      this.#emitScratch(stretch.overlap);
    }
    return stretch.overlap;
  }

  // --- towards the resampler

  /** Makes `count` samples of the ring, at the gain that is due. */
  #emit(index: number, count: number): void {
    const { samples } = this.#memory;
    if (this.#gain === 1 && this.#slope === 0) {
      this.#push(samples, index, count);
      return;
    }
    const scratch = this.#scratch;
    for (let done = 0; done < count; done += SCRATCH) {
      const part = Math.min(SCRATCH, count - done);
      for (let i = 0; i < part; i++) scratch[i] = samples[(index + done + i) | 0]!;
      this.#emitScratch(part);
    }
  }

  #emitScratch(count: number): void {
    if (this.#gain !== 1 || this.#slope !== 0) this.#shape(count);
    this.#push(this.#scratch, 0, count);
    if (this.#slope < 0 && this.#gain === 0) {
      this.#slope = 0;
      this.#replay = 0;
      this.#listener.silenced(this.made);
    } else if (this.#slope > 0 && this.#gain === 1) {
      this.#slope = 0;
    }
  }

  #push(samples: Int16Array, from: number, count: number): void {
    this.#resampler.push(samples, from, count);
    this.made += count;
  }

  /** Applies the gain to the first `count` samples of the scratch. */
  #shape(count: number): void {
    const scratch = this.#scratch;
    const slope = this.#slope;
    let gain = this.#gain;
    let held = this.#held;
    for (let i = 0; i < count; i++) {
      if (held > 0) held--;
      else gain = Math.max(0, Math.min(1, gain + slope));
      scratch[i] = Math.round(scratch[i]! * gain);
    }
    this.#gain = gain;
    this.#held = held;
  }
}
