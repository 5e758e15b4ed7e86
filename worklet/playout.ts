import { type ResamplerTable, createResampler, type Resampler } from '../src/dsp/index.js';
import { MarkKind, PlayoutState, RingReader, type RingMemory, Slot, Stat } from '../src/ring/index.js';
import { Fade } from './fade.js';
import { MarkQueue } from './mark-queue.js';

/** Ramps at starts, ends, underruns, pauses and cancels: long enough that none is a click, short of the 5 ms a cancel may take. */
const FADE_SECONDS = 0.004;

/** Largest render quantum served in one piece; a longer one is rendered in parts. */
export const MAX_QUANTUM = 2048;

/** What the playout tells; called on the audio thread, a few times per utterance, never per quantum. */
export interface PlayoutListener {
  playing(at: number): void;
  mark(kind: MarkKind, serial: number, at: number): void;
  stalled(at: number): void;
  underrun(durationMs: number, at: number): void;
  drained(at: number): void;
}

/**
 * Decides which sample of the ring is heard when: a fixed jitter buffer in front of the resampler.
 *
 * It holds back until the target delay is there, until a shorter utterance is complete, or until it has waited for
 * twice the target. From then on it plays until the utterance ends or the ring runs dry; then it holds back again.
 * Speech is read in *segments*: runs without a hole, over which the resampler's phase goes on. A segment ends at an
 * underrun, and at the end of an utterance unless enough of the next one is there to go on.
 *
 * Real-time safe after construction. Audio thread, or a test: it knows no Web Audio.
 */
export class Playout {
  readonly #header: Int32Array;
  readonly #stats: Float64Array;
  readonly #reader: RingReader;
  readonly #resampler: Resampler;
  readonly #fade: Fade;
  readonly #marks = new MarkQueue();
  readonly #listener: PlayoutListener;
  readonly #table: ResamplerTable;

  #state: PlayoutState = PlayoutState.idle;
  /** Utterance that the reader is inside of, 0 between utterances. */
  #readSerial = 0;
  /** Utterance that is being heard, 0 between utterances. */
  #heardSerial = 0;
  /** Ring position of the segment's first sample, and samples of the segment read from the ring so far. */
  #base = 0;
  #read = 0;
  /** Output samples of the segment so far. */
  #played = 0;
  /** The segment's last sample has been read: silence follows. */
  #closed = false;
  /** Source samples of the segments before this one. */
  #emitted = 0;
  /** Output samples since the first sample of the segment to come was there. */
  #waited = 0;
  /** Output samples of silence inside the utterance: what an underrun has lasted. */
  #dry = 0;
  /** Context time of the instant after the last segment. */
  #endedAt = 0;
  /** The last request to play, a value of `Slot.request`, that has been answered. */
  #answered = 0;

  /**
   * @param memory - The ring; this thread becomes its one consumer.
   * @param table - From the ring's rate to the context's.
   */
  constructor(memory: RingMemory, table: ResamplerTable, listener: PlayoutListener) {
    this.#header = memory.header;
    this.#stats = memory.stats;
    this.#reader = new RingReader(memory);
    this.#table = table;
    this.#resampler = createResampler(table, Math.ceil((MAX_QUANTUM * table.fromRate) / table.toRate) + table.taps);
    this.#fade = new Fade(Math.max(1, Math.round(FADE_SECONDS * table.toRate)));
    this.#listener = listener;
  }

  /**
   * Renders `block`, every sample of it.
   *
   * @param block - At most `MAX_QUANTUM` samples, mono.
   * @param time - Context time in seconds of its first sample.
   */
  render(block: Float32Array, time: number): void {
    this.#reader.refresh();
    let count = 0;
    if (this.#state !== PlayoutState.playing) this.#prime(block.length, time);
    if (this.#state === PlayoutState.playing) count = this.#play(block, time);
    block.fill(0, count);
    this.#account(block.length, time);
  }

  /** What the main thread asks for: even is play, odd is pause, and each request has a number of its own. */
  get #request(): number {
    return Atomics.load(this.#header, Slot.request);
  }

  get #targetSamples(): number {
    return (Atomics.load(this.#header, Slot.targetDelayMs) * this.#table.fromRate) / 1000;
  }

  /** Output samples that the first `inputs` samples of a segment make. */
  #outputsOf(inputs: number): number {
    return Math.ceil((inputs * this.#table.up) / this.#table.down);
  }

  /** Not playing: skips what is cancelled, and starts a segment when there is enough for one. */
  #prime(quantum: number, time: number): void {
    const reader = this.#reader;
    this.#skipCancelled();
    const inside = this.#readSerial !== 0;
    if (!inside && reader.marks === 0) {
      if (this.#state !== PlayoutState.idle) this.#drain(time);
      return;
    }
    if (!inside) this.#state = PlayoutState.priming;
    const end = this.#endDistance(inside ? 0 : 1);
    if (inside && end === 0) {
      this.#finishStalled(time);
      return;
    }
    const level = end >= 0 ? end : reader.available;
    const target = this.#targetSamples;
    const enough = level > 0 && (end >= 0 || level >= target || this.#waited >= this.#outputsOf(2 * target));
    if (enough && (this.#request & 1) === 0) {
      this.#start(time);
      return;
    }
    if (level > 0) this.#waited += quantum;
    if (inside) this.#dry += quantum;
  }

  /** Samples to the end mark `ahead` marks on, or -1 while the end is not known. */
  #endDistance(ahead: number): number {
    return this.#reader.marks > ahead ? this.#reader.markDistance(ahead) : -1;
  }

  #start(time: number): void {
    const { fromRate, toRate } = this.#table;
    this.#openSegment();
    if (this.#readSerial === 0) this.#takeMark();
    if (this.#state === PlayoutState.stalled) {
      this.#stats[Stat.concealedSamples]! += (this.#dry * fromRate) / toRate;
      this.#stats[Stat.underruns]! += 1;
      this.#listener.underrun((this.#dry / toRate) * 1000, time);
    }
    this.#dry = 0;
    this.#waited = 0;
    this.#state = PlayoutState.playing;
    this.#answer(time);
  }

  /** Says that sound is leaving, once for each request to play and for each start. */
  #answer(time: number): void {
    this.#answered = this.#request;
    this.#listener.playing(time);
  }

  /** An utterance that had run dry turns out to be complete: there was no underrun, only a late word of its end. */
  #finishStalled(time: number): void {
    this.#listener.mark(MarkKind.end, this.#readSerial, this.#endedAt);
    this.#reader.takeMark();
    this.#readSerial = 0;
    this.#heardSerial = 0;
    this.#dry = 0;
    this.#waited = 0;
    this.#reader.release(this.#reader.position, this.#reader.markIndex);
    if (this.#reader.marks === 0) this.#drain(time);
    else this.#state = PlayoutState.priming;
  }

  #drain(time: number): void {
    this.#state = PlayoutState.idle;
    this.#listener.drained(time);
  }

  /** Goes past utterances that are cancelled, as far as they are in the ring. */
  #skipCancelled(): void {
    const reader = this.#reader;
    let skipped = 0;
    for (;;) {
      if (this.#readSerial === 0) {
        if (reader.marks === 0 || !reader.isCancelled(reader.markSerial(0))) break;
        this.#readSerial = reader.markSerial(0);
        reader.takeMark();
      }
      if (!reader.isCancelled(this.#readSerial)) break;
      this.#state = PlayoutState.priming;
      this.#heardSerial = 0;
      this.#dry = 0;
      this.#waited = 0;
      const end = this.#endDistance(0);
      const count = end >= 0 ? end : reader.available;
      reader.advance(count);
      skipped += count;
      if (end < 0) break;
      reader.takeMark();
      this.#readSerial = 0;
    }
    if (skipped > 0) this.#stats[Stat.discardedSamples]! += skipped;
    reader.release(reader.position, reader.markIndex);
  }

  /** Plays into `block`; returns the samples written. */
  #play(block: Float32Array, time: number): number {
    const cancelled =
      (this.#heardSerial !== 0 && this.#reader.isCancelled(this.#heardSerial)) ||
      (this.#readSerial !== 0 && this.#reader.isCancelled(this.#readSerial));
    const request = this.#request;
    const falling = cancelled || (request & 1) !== 0;
    if (falling && this.#fade.phase === 0) {
      if (cancelled) this.#abandon(time);
      return 0;
    }
    if (!falling && request !== this.#answered) this.#answer(time);
    const wanted = falling ? Math.min(block.length, this.#fade.phase) : block.length;
    const remaining = this.#feed(wanted);
    const count = Math.min(wanted, remaining);
    this.#resampler.pull(block, 0, count);
    this.#fade.apply(block, count, falling, remaining);
    this.#hearMarks(count, time);
    this.#played += count;
    const at = time + count / this.#table.toRate;
    if (cancelled && this.#fade.phase === 0) this.#abandon(at);
    else if (count === remaining) this.#endSegment(block.length - count, at);
    else this.#release();
    return count;
  }

  /**
   * Reads enough for `outputs` samples, or all there is.
   *
   * @returns Output samples from here to the segment's end as far as is known; exact when near, else just large.
   */
  #feed(outputs: number): number {
    const reader = this.#reader;
    const resampler = this.#resampler;
    let needed = resampler.inputFor(outputs);
    while (needed > 0 && !this.#closed) {
      const segment = this.#segmentAhead(needed);
      if (segment === 0) {
        this.#closed = true;
        break;
      }
      this.#takeMarksHere();
      const toMark = reader.marks > 0 ? reader.markDistance(0) : segment;
      const count = Math.min(segment, toMark, reader.contiguous, needed);
      resampler.push(reader.samples, reader.index, count);
      reader.advance(count);
      this.#read += count;
      needed -= count;
    }
    if (this.#closed) {
      this.#takeEndHere();
      if (needed > 0) resampler.pushSilence(needed);
    }
    const { up, down } = this.#table;
    const near = Math.ceil(((outputs + this.#fade.length) * down) / up) + resampler.latency;
    const ahead = this.#closed ? 0 : this.#segmentAhead(near);
    return this.#outputsOf(this.#read + ahead) - this.#played;
  }

  /** Samples, at most `limit`, that can be read before the segment ends. */
  #segmentAhead(limit: number): number {
    const reader = this.#reader;
    const marks = reader.marks;
    const most = Math.min(limit, reader.available);
    let inside = this.#readSerial !== 0;
    let ahead = 0;
    if (this.#marks.full) return 0;
    for (; ahead < marks && reader.markDistance(ahead) <= most; ahead++) {
      if (inside) {
        inside = false;
      } else if (this.#goesOn(ahead)) {
        inside = true;
      } else {
        break;
      }
    }
    if (inside) return most;
    return ahead === 0 ? 0 : reader.markDistance(ahead - 1);
  }

  /** True if the utterance whose start mark is `ahead` marks on can follow without holding back. */
  #goesOn(ahead: number): boolean {
    const reader = this.#reader;
    if (reader.isCancelled(reader.markSerial(ahead))) return false;
    return reader.marks > ahead + 1 || reader.available - reader.markDistance(ahead) >= this.#targetSamples;
  }

  /** Takes the marks that stand before the next sample of the segment. */
  #takeMarksHere(): void {
    const reader = this.#reader;
    while (reader.marks > 0 && reader.markDistance(0) === 0 && !this.#marks.full) this.#takeMark();
  }

  /** At the segment's end: takes the end mark of the utterance, if that is what ends it. */
  #takeEndHere(): void {
    const reader = this.#reader;
    if (this.#readSerial !== 0 && reader.marks > 0 && reader.markDistance(0) === 0 && !this.#marks.full) {
      this.#takeMark();
    }
  }

  #takeMark(): void {
    const reader = this.#reader;
    const kind = reader.markKind(0);
    const serial = reader.markSerial(0);
    this.#marks.push(this.#read, kind, serial, reader.markIndex);
    this.#readSerial = kind === MarkKind.start ? serial : 0;
    reader.takeMark();
  }

  /** Reports the marks that the next `count` output samples pass. */
  #hearMarks(count: number, time: number): void {
    const marks = this.#marks;
    while (marks.length > 0) {
      const offset = this.#outputsOf(marks.input) - this.#played;
      if (marks.kind === MarkKind.start ? offset >= count : offset > count) return;
      this.#hearMark(time + Math.max(0, offset) / this.#table.toRate);
    }
  }

  #hearMark(at: number): void {
    const marks = this.#marks;
    this.#heardSerial = marks.kind === MarkKind.start ? marks.serial : 0;
    this.#listener.mark(marks.kind, marks.serial, at);
    marks.shift();
  }

  /** All of the segment has been played; `silent` output samples of the quantum are left. */
  #endSegment(silent: number, at: number): void {
    this.#takeEndHere();
    while (this.#marks.length > 0) this.#hearMark(at);
    this.#emitted += this.#read;
    this.#openSegment();
    this.#endedAt = at;
    this.#reader.release(this.#base, this.#reader.markIndex);
    if (this.#readSerial !== 0) {
      this.#state = PlayoutState.stalled;
      this.#dry = silent;
      this.#listener.stalled(at);
    } else if (this.#reader.marks === 0) {
      this.#drain(at);
    } else {
      this.#state = PlayoutState.priming;
    }
  }

  /** What is heard, or about to be, is cancelled, and silence is reached: goes back to the first sample that is not. */
  #abandon(at: number): void {
    const marks = this.#marks;
    const reader = this.#reader;
    while (marks.length > 0 && (marks.kind === MarkKind.end || reader.isCancelled(marks.serial))) this.#hearMark(at);
    const heard = Math.min(this.#read, this.#resampler.position);
    this.#emitted += heard;
    this.#stats[Stat.discardedSamples]! += Math.max(0, (marks.length > 0 ? marks.input : this.#read) - heard);
    if (marks.length > 0) {
      reader.rewind(marks.index);
      this.#readSerial = 0;
    }
    this.#heardSerial = 0;
    this.#openSegment();
    this.#endedAt = at;
    this.#state = PlayoutState.priming;
    this.#skipCancelled();
    if (this.#readSerial === 0 && reader.marks === 0) this.#drain(at);
  }

  /** Sets out for a segment that begins at the reader's position, in silence. */
  #openSegment(): void {
    this.#resampler.reset();
    this.#fade.reset();
    this.#marks.clear();
    this.#base = this.#reader.position;
    this.#read = 0;
    this.#played = 0;
    this.#closed = false;
  }

  /** Gives back what has been played. */
  #release(): void {
    const position = Math.min(this.#read, Math.floor(this.#resampler.position));
    const markIndex = this.#marks.length > 0 ? this.#marks.index : this.#reader.markIndex;
    this.#reader.release((this.#base + position) | 0, markIndex);
  }

  #account(quantum: number, time: number): void {
    const stats = this.#stats;
    const playing = this.#state === PlayoutState.playing;
    const emitted = this.#emitted + (playing ? Math.min(this.#read, this.#resampler.position) : 0);
    const fresh = emitted - stats[Stat.emittedSamples]!;
    const held = this.#reader.available + (playing ? this.#read - Math.min(this.#read, this.#resampler.position) : 0);
    stats[Stat.jitterBufferDelay]! += (held * quantum) / this.#table.toRate;
    stats[Stat.jitterBufferTargetDelay]! += (fresh * this.#targetSamples) / this.#table.fromRate;
    stats[Stat.emittedSamples] = emitted;
    stats[Stat.emittedAt] = time + quantum / this.#table.toRate;
    Atomics.store(this.#header, Slot.state, this.#state);
  }
}
