import { createResampler, type Resampler, type ResamplerTable } from '../src/dsp/index.js';
import { MarkKind, type PlayoutEvent, PlayoutState, type RingMemory, Slot, Stat } from '../src/ring/index.js';
import { Fade } from './fade.js';
import { JitterBuffer } from './jitter-buffer.js';
import { type FeedListener, SpeechFeed } from './speech-feed.js';
import { UtteranceReader } from './utterance-reader.js';

/** Ramps at starts, ends, pauses and cancels: long enough that none is a click, short of the 5 ms a cancel may take. */
const FADE_SECONDS = 0.004;

/** Largest render quantum served in one piece; a longer one is rendered in parts. */
export const MAX_QUANTUM = 2048;

/** What the playout tells; called on the audio thread, a few times per utterance, never per quantum. */
export type PlayoutListener = (event: PlayoutEvent) => void;

/**
 * Decides which sample of the ring is heard when.
 *
 * It holds back until the jitter buffer is satisfied, until a shorter utterance is complete, or until it has waited for
 * twice as long. From then on it plays until the utterance ends. Speech is read in *runs* without a hole, over which
 * the resampler's phase goes on: one or more utterances that follow each other at once. Within a run, `SpeechFeed`
 * makes up for what does not come in time.
 *
 * Real-time safe after construction. Audio thread, or a test: it knows no Web Audio.
 */
export class Playout implements FeedListener {
  readonly #header: Int32Array;
  readonly #stats: Float64Array;
  readonly #sampleRate: number;
  readonly #reader: UtteranceReader;
  readonly #jitter: JitterBuffer;
  readonly #feed: SpeechFeed;
  readonly #fade: Fade;
  readonly #tell: PlayoutListener;
  #table: ResamplerTable;
  #resampler: Resampler;
  /** To be used from the next silence on. */
  #nextTable: ResamplerTable | null = null;
  #leaving = false;

  #state: PlayoutState.Any = PlayoutState.idle;
  /** Utterance that is being heard, 0 between utterances. */
  #heardSerial = 0;
  /** Ring position of the run's first sample. */
  #base = 0;
  /** Output samples of the run so far. */
  #played = 0;
  /** Source samples of the runs before this one. */
  #emitted = 0;
  /** Output samples since the first sample of the run to come was there. */
  #waited = 0;
  /** The last request to play, a value of `Slot.request`, that has been answered. */
  #answered = 0;
  /** Frame of the context at which the quantum begins. */
  #frame = 0;

  /**
   * @param memory - The ring; this thread becomes its one consumer, and goes on where the one before it has stopped.
   * @param table - From the ring's rate to the context's.
   */
  constructor(memory: RingMemory, table: ResamplerTable, listener: PlayoutListener) {
    this.#header = memory.header;
    this.#stats = memory.stats;
    this.#sampleRate = memory.sampleRate;
    this.#tell = listener;
    this.#table = table;
    this.#resampler = makeResampler(table, memory.sampleRate);
    this.#fade = new Fade(Math.max(1, Math.round(FADE_SECONDS * table.toRate)));
    this.#reader = new UtteranceReader(memory);
    this.#heardSerial = this.#reader.serial;
    this.#emitted = memory.stats[Stat.emittedSamples]!;
    this.#jitter = new JitterBuffer(memory.header, memory.sampleRate, this.#reader.ring.position);
    this.#feed = new SpeechFeed(memory, this.#reader, this.#jitter, this.#resampler, this);
  }

  /**
   * Plays with another resampler from the next silence on; what is playing is silenced for two ramps. Allocates.
   *
   * @param table - To the same rate; from another one than the ring's, speech is faster or slower, and its pitch too.
   */
  setTable(table: ResamplerTable): void {
    this.#nextTable = table;
  }

  /** Falls silent after a ramp, for another consumer to go on. Returns whether it is silent. */
  leave(): boolean {
    this.#leaving = true;
    return !this.sounding || this.#fade.phase === 0;
  }

  /**
   * Renders `block`, every sample of it.
   *
   * @param block - At most `MAX_QUANTUM` samples, mono.
   * @param frame - Frame of the context at which it begins. No time in seconds, since V8 would allocate that.
   */
  render(block: Float32Array, frame: number): void {
    const { ring } = this.#reader;
    ring.refresh();
    this.#frame = frame;
    this.#jitter.observe(this.#now, (ring.position + ring.available) | 0, this.#reader.open);
    if (!this.armed && ring.available === 0 && ring.marks === 0) {
      block.fill(0);
      return;
    }
    let count = 0;
    if (!this.sounding) this.#prime(block.length);
    if (this.sounding) count = this.#play(block);
    block.fill(0, count);
    this.#account(block.length);
  }

  /** There is something to play, or more to come. */
  get armed(): boolean {
    return this.#state !== PlayoutState.idle;
  }

  /** In a run of speech, be it paused or dry. */
  get sounding(): boolean {
    return this.#state === PlayoutState.playing || this.#state === PlayoutState.stalled;
  }

  /** What the main thread asks for: even is play, odd is pause, and each request has a number of its own. */
  get #request(): number {
    return Atomics.load(this.#header, Slot.request);
  }

  /** Output samples that the first `inputs` samples of the resampler's input make. */
  #outputsOf(inputs: number): number {
    return Math.ceil((inputs * this.#table.up) / this.#table.down);
  }

  /** Time in samples of the ring's rate. */
  get #now(): number {
    return Math.floor((this.#frame * this.#sampleRate) / this.#table.toRate);
  }

  /** Context time, in seconds, at which output sample `offset` of this quantum leaves. */
  #timeAt(offset: number): number {
    return (this.#frame + offset) / this.#table.toRate;
  }

  /** The same of sample `made` of the resampler's input. */
  #timeOf(made: number): number {
    return this.#timeAt(Math.max(0, this.#outputsOf(made) - this.#played));
  }

  // --- before a run

  /** Skips what is cancelled, and starts a run when there is enough for one. */
  #prime(quantum: number): void {
    const { ring } = this.#reader;
    this.#skipCancelled();
    if (this.#reader.serial === 0 && ring.marks === 0) {
      if (this.#state !== PlayoutState.idle) this.#drain(0);
      return;
    }
    const inside = this.#reader.serial !== 0;
    this.#state = PlayoutState.priming;
    const end = this.#reader.endDistance(inside ? 0 : 1);
    const level = end >= 0 ? end : ring.available;
    const target = Math.max(this.#jitter.start, this.#feed.least + this.#resampler.latency);
    const patient = this.#waited >= this.#outputsOf(2 * target) && level >= this.#feed.least;
    if ((end >= 0 || level >= target || patient) && (this.#request & 1) === 0) this.#start();
    else if (level > 0) this.#waited += quantum;
  }

  #start(): void {
    this.#openRun();
    if (this.#reader.serial === 0) this.#reader.takeMark(0);
    this.#waited = 0;
    this.#state = PlayoutState.playing;
    this.#answer(this.#timeAt(0));
  }

  /** Says that sound is leaving, once for each request to play and for each start. */
  #answer(at: number): void {
    this.#answered = this.#request;
    this.#tell({ event: 'playing', at });
  }

  /** @param offset - Output sample of this quantum from which on there is nothing to play. */
  #drain(offset: number): void {
    this.#state = PlayoutState.idle;
    this.#tell({ event: 'drained', at: this.#timeAt(offset) });
  }

  /** Goes past utterances that are cancelled, as far as they are in the ring. */
  #skipCancelled(): void {
    const skipped = this.#reader.skipCancelled();
    if (skipped >= 0) {
      this.#state = PlayoutState.priming;
      this.#waited = 0;
      this.#stats[Stat.discardedSamples]! += skipped;
    }
    this.#release(this.#reader.ring.position);
  }

  /** Sets out for a run that begins at the reader's position, in silence. */
  #openRun(): void {
    if (this.#nextTable !== null) {
      this.#table = this.#nextTable;
      this.#resampler = makeResampler(this.#table, this.#sampleRate);
      this.#nextTable = null;
    }
    this.#resampler.reset();
    this.#feed.open(this.#resampler);
    this.#fade.reset();
    this.#reader.marks.length = 0;
    this.#base = this.#reader.ring.position;
    this.#played = 0;
  }

  // --- in a run

  /** Plays into `block`; returns the samples written. */
  #play(block: Float32Array): number {
    const feed = this.#feed;
    const cancelled = this.#isCancelled(this.#heardSerial) || this.#isCancelled(this.#reader.serial);
    const request = this.#request;
    // A run that is dry goes on with the table that it has.
    const swap = this.#nextTable !== null && !feed.dry;
    const falling = cancelled || (request & 1) !== 0 || swap || this.#leaving;
    if (falling && this.#fade.phase === 0) {
      if (cancelled) this.#abandon(0);
      else if (swap) this.#reopen();
      return 0;
    }
    if (!falling && request !== this.#answered && !feed.silent) this.#answer(this.#timeAt(0));
    this.#steer();
    const wanted = falling ? Math.min(block.length, this.#fade.phase) : block.length;
    feed.feed(this.#resampler.inputFor(wanted));
    const remaining = this.#outputsOf(feed.made + feed.left) - this.#played;
    const count = Math.min(wanted, remaining);
    this.#resampler.pull(block, 0, count);
    this.#fade.apply(block, count, falling, remaining);
    this.#hearMarks(count);
    this.#played += count;
    if (cancelled && this.#fade.phase === 0) this.#abandon(count);
    else if (count === remaining) this.#endRun(count);
    else this.#release((this.#base + Math.min(feed.kept, this.#heard)) | 0);
    return count;
  }

  #isCancelled(serial: number): boolean {
    return serial !== 0 && this.#reader.ring.isCancelled(serial);
  }

  #steer(): void {
    const complete = this.#reader.serial === 0 || this.#reader.ring.marks > 0;
    this.#jitter.steer(this.#feed.stretch, this.#now, this.#held, complete);
  }

  /** Samples of the run that have left. */
  get #heard(): number {
    const { up, down } = this.#table;
    return this.#feed.speechAt(Math.min(this.#feed.made, Math.floor((this.#played * down) / up)));
  }

  /** Samples that have come and have not left. */
  get #held(): number {
    return this.#reader.ring.available + (this.sounding ? this.#feed.read - this.#heard : 0);
  }

  silenced(made: number): void {
    this.#state = PlayoutState.stalled;
    this.#tell({ event: 'stalled', at: this.#timeOf(made) });
  }

  resumed(made: number): void {
    this.#state = PlayoutState.playing;
    this.#answer(this.#timeOf(made));
  }

  underrun(samples: number, made: number): void {
    const durationMs = (samples / this.#table.fromRate) * 1000;
    this.#tell({ event: 'underrun', durationMs, at: this.#timeOf(made) });
  }

  /** Reports the marks that the next `count` output samples pass. */
  #hearMarks(count: number): void {
    const { marks } = this.#reader;
    while (marks.length > 0) {
      const offset = this.#outputsOf(marks.made) - this.#played;
      if (marks.kind === MarkKind.start ? offset >= count : offset > count) return;
      this.#hearMark(Math.max(0, offset));
    }
  }

  #hearMark(offset: number): void {
    const { marks } = this.#reader;
    const { serial } = marks;
    const starts = marks.kind === MarkKind.start;
    this.#heardSerial = starts ? serial : 0;
    this.#tell({ event: starts ? 'start' : 'end', serial, at: this.#timeAt(offset) });
    marks.length--;
  }

  // --- the end of a run

  /** All of the run has been played, with output sample `offset` of this quantum. */
  #endRun(offset: number): void {
    const { ring, marks } = this.#reader;
    this.#reader.takeEnd(this.#feed.made);
    while (marks.length > 0) this.#hearMark(offset);
    this.#emitted += this.#feed.read;
    this.#openRun();
    this.#release(this.#base);
    if (this.#reader.serial === 0 && ring.marks === 0) this.#drain(offset);
    else this.#state = PlayoutState.priming;
  }

  /** What is heard, or about to be, is cancelled, and silence is reached: goes back to the first sample that is not. */
  #abandon(offset: number): void {
    const { ring, marks } = this.#reader;
    while (marks.length > 0 && (marks.kind === MarkKind.end || ring.isCancelled(marks.serial))) this.#hearMark(offset);
    const heard = this.#heard;
    this.#emitted += heard;
    if (marks.length > 0) this.#reader.rewind(marks.index);
    this.#stats[Stat.discardedSamples]! += Math.max(0, ((ring.position - this.#base) | 0) - heard);
    this.#heardSerial = 0;
    this.#openRun();
    this.#state = PlayoutState.priming;
    this.#skipCancelled();
    if (this.#reader.serial === 0 && ring.marks === 0) this.#drain(offset);
  }

  /** Goes back to the sample that is heard, to go on from there with another resampler. */
  #reopen(): void {
    const { ring, marks } = this.#reader;
    const heard = this.#heard;
    this.#emitted += heard;
    ring.seek((this.#base + heard) | 0, marks.index);
    this.#reader.serial = this.#heardSerial;
    this.#openRun();
    this.#state = PlayoutState.playing;
  }

  /** Gives what lies before `position` back to the producer. */
  #release(position: number): void {
    const { ring, marks } = this.#reader;
    ring.release(position, marks.index);
  }

  #account(quantum: number): void {
    const stats = this.#stats;
    const { sounding } = this;
    const { fromRate, toRate } = this.#table;
    const heard = sounding ? this.#heard : 0;
    const emitted = this.#emitted + heard;
    const fresh = emitted - stats[Stat.emittedSamples]!;
    stats[Stat.jitterBufferDelay]! += (this.#held * quantum) / toRate;
    stats[Stat.jitterBufferTargetDelay]! += (fresh * this.#jitter.target) / this.#sampleRate;
    stats[Stat.emittedSamples] = emitted;
    stats[Stat.emittedAt] = this.#timeAt(quantum);
    const moving = sounding && !this.#feed.dry;
    stats[Stat.pace] = moving ? (this.#feed.stretch.pace * fromRate) / this.#sampleRate : 0;
    Atomics.store(this.#header, Slot.state, this.#state);
    const next = sounding ? (this.#base + heard) | 0 : this.#reader.ring.position;
    Atomics.store(this.#header, Slot.heard, next);
    Atomics.store(this.#header, Slot.heardSerial, sounding ? this.#heardSerial : this.#reader.serial);
  }
}

/** A resampler with room for a quantum, and for the cross-fades that come in one piece. */
function makeResampler(table: ResamplerTable, sampleRate: number): Resampler {
  const quantum = Math.ceil((MAX_QUANTUM * table.fromRate) / table.toRate);
  return createResampler(table, quantum + table.taps + Math.ceil(0.01 * sampleRate));
}
