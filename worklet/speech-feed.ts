import { type Resampler, TimeStretch } from '../src/dsp/index.js';
import { type RingMemory, type RingReader, Stat } from '../src/ring/index.js';
import { Concealer, type ConcealmentListener } from './concealer.js';
import type { JitterBuffer } from './jitter-buffer.js';
import { ResamplerFeed } from './resampler-feed.js';
import { TimeMap } from './time-map.js';
import type { UtteranceReader } from './utterance-reader.js';

/** Number of samples greater than that of any run. A small integer, because V8 allocates memory for an infinity. */
const FAR = 2 ** 28;

/**
 * Chooses the samples of one run of speech: those that come next in the ring or, where a splice makes speech slower or
 * faster, those a pitch period before or after.
 *
 * *Read* samples were taken from the ring, *made* samples were pushed into the resampler; splices and concealment make
 * the two differ. The last `stretch.overlap` samples of an unfinished run are held back. If no more arrive, `Concealer`
 * fades from those into a repetition. No speech is dropped for it: speech resumes with the next sample of the ring.
 *
 * Real-time safe after construction. Audio thread.
 */
export class SpeechFeed {
  /** Number of samples of the run that were read. */
  read = 0;
  /** Number of samples to make until the run ends, as of the last `feed`; `FAR` unless the end is within 25 ms. */
  remaining = FAR;
  readonly stretch: TimeStretch;
  readonly #stats: Float64Array;
  readonly #reader: UtteranceReader;
  readonly #ring: RingReader;
  readonly #jitter: JitterBuffer;
  readonly #output: ResamplerFeed;
  readonly #concealer: Concealer;
  readonly #map = new TimeMap();
  /** False if the ring does not guarantee as many samples in one piece as a splice needs. */
  readonly #canSplice: boolean;
  /** Number of read samples before the ring's position that must be made again. */
  #replay = 0;
  /** True once all of the run has been made. */
  #closed = false;

  constructor(
    memory: RingMemory,
    reader: UtteranceReader,
    jitter: JitterBuffer,
    resampler: Resampler,
    listener: ConcealmentListener,
  ) {
    this.#stats = memory.stats;
    this.#reader = reader;
    this.#ring = reader.ring;
    this.#jitter = jitter;
    this.stretch = new TimeStretch(memory.sampleRate);
    this.#output = new ResamplerFeed(memory.samples, resampler);
    this.#concealer = new Concealer(memory, this.stretch, this.#output, listener);
    this.#canSplice = this.stretch.behind + this.stretch.ahead <= memory.mirror;
    this.#map.reset();
  }

  /** Number of samples of the run that were made. */
  get made(): number {
    return this.#output.made;
  }

  /** True if the run is concealed or about to resume. */
  get isDry(): boolean {
    return this.#concealer.state !== 'flowing';
  }

  get isSilent(): boolean {
    return this.#concealer.state === 'silent';
  }

  /** Minimum number of samples with which a run can begin. */
  get least(): number {
    return this.stretch.overlap + 1;
  }

  /** Number of samples with which the next utterance can join the run before it is complete. */
  get #joining(): number {
    return Math.max(this.#jitter.start, this.least);
  }

  /** Returns the read sample that plays at made sample `made`, both integers; `made` must never decrease. */
  speechAt(made: number): number {
    return Math.min(this.read, this.#map.speechAt(made));
  }

  /** Number of read samples that no splice can reach any more. They can be overwritten once they have played. */
  get spent(): number {
    return this.#closed ? this.read : Math.max(0, this.read - this.stretch.behind);
  }

  /** Begins a run at the reader's position. */
  open(resampler: Resampler): void {
    this.#output.reset(resampler);
    this.#concealer.reset();
    this.#map.reset();
    this.stretch.reset();
    this.read = 0;
    this.#closed = false;
    this.#replay = 0;
  }

  /** Pushes at least `needed` samples into the resampler, and updates `remaining`. */
  feed(needed: number): void {
    for (let rest = needed; rest > 0;) rest -= this.#step(rest);
    if (this.#closed) {
      this.remaining = 0;
      return;
    }
    const reader = this.#reader;
    reader.scan(this.stretch.ahead + this.stretch.overlap - 1, this.#joining);
    this.remaining = reader.ended && !this.isDry ? this.#replay + reader.ahead : FAR;
  }

  /** Makes some samples, or makes a transition. Returns the number of samples made. */
  #step(needed: number): number {
    const concealer = this.#concealer;
    if (this.#closed) {
      this.#output.pad(needed);
      return needed;
    }
    if (concealer.isStarved) this.#tryToResume();
    if (this.#replay > 0) return this.#makeAgain(Math.min(needed, this.#replay));
    const { overlap, ahead: reach } = this.stretch;
    const near = reach + overlap;
    this.#reader.scan(Math.max(needed + overlap, near), this.#joining);
    if (concealer.isStarved) return this.#conceal(needed);
    const { ahead, ended } = this.#reader;
    if (this.isDry) {
      this.#map.add(this.made, this.read);
      concealer.flow(!ended || ahead > overlap);
    }
    if (ended && ahead === 0) {
      this.#reader.takeEnd(this.made);
      this.#closed = true;
      return 0;
    }
    const spare = ended ? ahead : ahead - overlap;
    if (spare <= 0) {
      this.#map.add(this.made, this.read);
      concealer.starve();
      return this.#conceal(needed);
    }
    // The final ramp needs the exact distance to the end, so there are no splices this close to it.
    return this.#makeNext(needed, spare, this.#canSplice && !(ended && ahead < near));
  }

  /** Makes the samples that come next in the ring, at most `spare`, or a splice. */
  #makeNext(needed: number, spare: number, canSplice: boolean): number {
    const { stretch } = this;
    const ring = this.#ring;
    this.#reader.takeMarks(this.made);
    // A splice must not skip a mark, and must not reach into the samples that are held back.
    const run = ring.marks > 0 ? Math.min(spare, ring.markDistance(0)) : spare;
    if (canSplice && stretch.wait === 0 && this.#splice(run)) return stretch.overlap;
    const wait = canSplice ? stretch.wait : needed;
    const count = Math.min(needed, run, wait, ring.contiguous);
    stretch.pass(ring.samples, ring.index, count);
    this.#output.emit(ring.index, count);
    this.#advance(count);
    return count;
  }

  #advance(count: number): void {
    this.#ring.advance(count);
    this.read += count;
  }

  /** Number of samples of the run before the position that a splice can use. */
  get #behind(): number {
    return this.#canSplice ? Math.min(this.read, this.stretch.behind) : 0;
  }

  /** Makes a splice if the stretch finds a good one here. */
  #splice(ahead: number): boolean {
    const { stretch } = this;
    const { samples } = this.#ring;
    const behind = this.#behind;
    const at = this.#ring.indexBack(behind) + behind;
    const lag = stretch.splice(samples, at, behind, ahead);
    if (lag === 0) return false;
    stretch.fade(samples, at, this.#output.scratch);
    this.#map.add(this.made, this.read);
    if (lag < 0) {
      this.#map.add(this.made - lag, this.read);
      this.#replay = -lag - stretch.overlap;
      this.#stats[Stat.insertedSamples]! -= lag;
    } else {
      const count = lag + stretch.overlap;
      this.#map.add(this.made + stretch.overlap, this.read + count);
      this.#advance(count);
      this.#stats[Stat.removedSamples]! += lag;
    }
    this.#output.emitScratch(stretch.overlap);
    return true;
  }

  #makeAgain(count: number): number {
    const { samples } = this.#ring;
    const index = this.#ring.indexBack(this.#replay);
    const most = Math.min(count, samples.length - index);
    if (this.isDry) this.#concealer.emit(index, most);
    else {
      this.stretch.pass(samples, index, most);
      this.#output.emit(index, most);
    }
    this.#replay = this.isSilent ? 0 : this.#replay - most;
    return most;
  }

  #conceal(needed: number): number {
    if (this.isSilent) {
      this.#concealer.emitSilence(needed);
      return needed;
    }
    const behind = this.#behind;
    this.#replay = this.#concealer.repeat(this.#ring.indexBack(behind) + behind, behind);
    return this.stretch.overlap;
  }

  #tryToResume(): void {
    const concealer = this.#concealer;
    const reader = this.#reader;
    const enough = Math.max(this.#jitter.resume, this.least);
    const { available } = this.#ring;
    concealer.observe(available);
    reader.scan(enough, this.#joining);
    if (!concealer.canResume(available, enough, reader.ended)) return;
    // The samples that were held back have already played while fading out.
    const isOver = reader.ended && reader.ahead <= this.stretch.overlap;
    if (this.isSilent && isOver) this.#advance(reader.ahead);
    else if (this.isSilent) this.#replay = Math.min(this.read, concealer.fadeIn);
    concealer.resume(!isOver);
  }
}
