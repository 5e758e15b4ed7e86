import type { ResamplerTable } from '../src/dsp/index.js';
import { MarkKind, PlayoutState, type RingMemory, Slot } from '../src/ring/index.js';
import { LeadIn, OutputActivity } from './lead-in.js';
import { Level } from './level.js';
import { type PlayoutListener, PlayoutReporter } from './playout-reporter.js';
import { Run } from './run.js';
import type { UtteranceReader } from './utterance-reader.js';

/**
 * Decides when runs of speech begin and end. A *run* is speech without a gap: one utterance, or several in immediate
 * succession.
 *
 * | from                | to        | when                                                          |
 * | ------------------- | --------- | ------------------------------------------------------------- |
 * | `idle`              | `priming` | an utterance begins in the ring                               |
 * | `priming`           | `playing` | the target delay is buffered, or the utterance is complete,   |
 * |                     |           | or there was some speech for twice the target delay           |
 * | `playing`           | `stalled` | the ring has run empty, and the concealment has faded out     |
 * | `stalled`           | `playing` | speech resumes                                                |
 * | `playing`/`stalled` | `priming` | the run is over or cancelled, and something follows           |
 * | any                 | `idle`    | nothing follows                                               |
 *
 * A pause is not a state: it holds a run at its position, and keeps the next one from beginning. The lead-in is not a
 * state either: it plays while a run is about to begin or to continue.
 *
 * Real-time safe after construction. Audio thread, or a test, because this class does not use Web Audio.
 */
export class Playout {
  /** Level of the speech. */
  readonly level = new Level();
  readonly #header: Int32Array;
  readonly #reader: UtteranceReader;
  readonly #run: Run;
  readonly #reporter: PlayoutReporter;
  readonly #leadIn: LeadIn;
  readonly #output: OutputActivity;
  #isHeard = false;
  #state: PlayoutState.Any = PlayoutState.idle;
  /** Number of output samples rendered while there was speech with which a run could begin. */
  #waited = 0;
  /** Value of `Slot.request` that was last answered by a `playing` event. */
  #answered = 0;
  #isLeaving = false;

  /**
   * @param memory - The ring. This thread becomes its only consumer, and continues where the previous one has stopped.
   * @param table - Resampler table from the ring's rate to the context's.
   * @param output - Activity of the context's output, shared by all of its playouts.
   */
  constructor(
    memory: RingMemory,
    table: ResamplerTable,
    listener: PlayoutListener,
    output: OutputActivity = new OutputActivity(Date.now),
  ) {
    this.#header = memory.header;
    this.#output = output;
    this.#leadIn = new LeadIn(memory.header, table.toRate, output);
    this.#run = new Run(memory, table, {
      silenced: (made) => {
        this.#state = PlayoutState.stalled;
        this.#reporter.report('stalled', this.#run.offsetOf(made));
      },
      resumed: (made) => {
        this.#state = PlayoutState.playing;
        this.#answer(this.#run.offsetOf(made));
      },
      underrun: (samples, made) => this.#reporter.reportUnderrun(samples, this.#run.offsetOf(made)),
    });
    this.#reader = this.#run.reader;
    this.#reporter = new PlayoutReporter(memory, this.#run, listener);
  }

  /**
   * Uses another resampler from the next silence on. A run that is playing is faded out and in for the change.
   * Allocates.
   *
   * @param table - Table with the same output rate. If its input rate differs from the ring's rate, the speed and the
   *   pitch of speech change.
   */
  setTable(table: ResamplerTable): void {
    this.#run.setTable(table);
  }

  /** Fades out so that another consumer can continue. Returns true if there is silence now. */
  leave(): boolean {
    this.#isLeaving = true;
    const isSilent = !this.isSounding || this.#run.isFaded;
    if (isSilent) this.#setHeard(false);
    return isSilent;
  }

  /** True if there is something to play, or more to come. */
  get isArmed(): boolean {
    return this.#state !== PlayoutState.idle;
  }

  /** Number of the seek that took effect last; 0 before the first. */
  get seekNumber(): number {
    return this.#reader.seekNumber;
  }

  /** True in a run, even if it is paused or stalled. */
  get isSounding(): boolean {
    return this.#state === PlayoutState.playing || this.#state === PlayoutState.stalled;
  }

  /** Latest request of the main thread: an even number asks to play, an odd one to pause. */
  get #request(): number {
    return Atomics.load(this.#header, Slot.request);
  }

  /**
   * Renders all samples of `block`.
   *
   * @param block - At most `MAX_QUANTUM` samples, mono.
   * @param frame - Context frame at which the block begins. Not a time in seconds, because V8 would allocate it.
   */
  render(block: Float32Array, frame: number): void {
    const { ring } = this.#reader;
    this.#reporter.beginQuantum(frame);
    this.#run.observe(this.#reporter.now);
    if (!this.isArmed && ring.available === 0 && ring.marks === 0) {
      block.fill(0);
      return;
    }
    let count = 0;
    if (!this.isSounding) {
      this.level.settle();
      this.#prime(block.length);
    }
    if (this.isSounding) count = this.#play(block);
    block.fill(0, count);
    this.level.apply(block);
    // Not lowered: a quiet or muted speaker has to wake the device, too.
    if (this.#isAboutToSound) this.#leadIn.fill(block);
    else this.#leadIn.reset();
    this.#setHeard(this.isSounding && !this.#run.isFaded && !this.#run.feed.isSilent);
    this.#reporter.publish(block.length, this.#state, this.isSounding);
  }

  /** True if the page wants sound and there is none yet: a run is about to begin, or to continue after a pause. */
  get #isAboutToSound(): boolean {
    if ((this.#request & 1) !== 0) return false;
    return this.#state === PlayoutState.priming || (this.isSounding && this.#request !== this.#answered);
  }

  #setHeard(isHeard: boolean): void {
    if (isHeard === this.#isHeard) return;
    this.#isHeard = isHeard;
    this.#output.setSounding(isHeard);
  }

  // --- between runs

  /** Skips cancelled utterances, and begins a run if there is enough speech for one. */
  #prime(quantum: number): void {
    const run = this.#run;
    const reader = this.#reader;
    if (reader.isSeeking && !this.#takeSeek()) return;
    this.#skipCancelled();
    if (this.#becomeIdle(0)) return;
    this.#state = PlayoutState.priming;
    const end = reader.endDistance(reader.serial !== 0 ? 0 : 1);
    const level = end >= 0 ? end : reader.ring.available;
    const target = Math.max(run.jitter.start, run.least);
    const hasWaited = this.#waited >= run.outputsOf(2 * target) && level >= run.feed.least;
    const isReady = end >= 0 || level >= target || hasWaited;
    if ((this.#request & 1) === 0) {
      this.#leadIn.begin();
      if (this.#leadIn.isOver && isReady) return this.#start();
    }
    if (level > 0) this.#waited += quantum;
  }

  #start(): void {
    this.#run.open();
    if (this.#reader.serial === 0) this.#reader.takeMark(0);
    this.#waited = 0;
    this.#state = PlayoutState.playing;
    this.#answer(0);
  }

  /** Reports that sound begins at output sample `offset`: at each start, and once for each request to play. */
  #answer(offset: number): void {
    this.#answered = this.#request;
    this.#reporter.report('playing', offset);
  }

  /** Becomes idle if nothing follows output sample `offset`. Returns true in that case. */
  #becomeIdle(offset: number): boolean {
    if (this.#reader.serial !== 0 || this.#reader.ring.marks > 0) return false;
    if (this.isArmed) this.#reporter.report('drained', offset);
    this.#state = PlayoutState.idle;
    return true;
  }

  /** Skips the samples before the requested seek. Returns false if its mark has not arrived. */
  #takeSeek(): boolean {
    const reader = this.#reader;
    this.#state = PlayoutState.priming;
    this.#waited = 0;
    this.#reporter.discard(reader.takeSeek());
    reader.release(reader.ring.position);
    if (reader.isSeeking) return false;
    this.#reporter.beginSeek();
    reader.confirmSeek();
    // The speech after the mark may not be written yet, so an empty ring does not mean that everything has played.
    this.#state = PlayoutState.idle;
    return true;
  }

  /** Skips the cancelled utterances that come next, up to the last sample in the ring. */
  #skipCancelled(): void {
    const reader = this.#reader;
    const skipped = reader.skipCancelled();
    if (skipped >= 0) {
      this.#state = PlayoutState.priming;
      this.#waited = 0;
      this.#reporter.discard(skipped);
    }
    reader.release(reader.ring.position);
  }

  // --- in a run

  /** Plays into `block`. Returns the number of samples written. */
  #play(block: Float32Array): number {
    const run = this.#run;
    const reader = this.#reader;
    const isCancelled = reader.isCancelled(this.#reporter.serial) || reader.isCancelled(reader.serial);
    const request = this.#request;
    // A run that conceals missing speech keeps its table.
    const swapsTable = run.hasNextTable && !run.feed.isDry;
    const isSeeking = reader.isSeeking;
    const isFalling = isSeeking || isCancelled || (request & 1) !== 0 || swapsTable || this.#isLeaving;
    if (isFalling && run.isFaded) {
      if (isSeeking) this.#drop();
      else if (isCancelled) this.#abandon(0);
      else if (swapsTable) this.#reopen();
      return 0;
    }
    if (!isFalling && request !== this.#answered && !run.feed.isSilent) {
      if (run.isFaded) {
        this.#leadIn.begin();
        if (!this.#leadIn.isOver) return 0;
      }
      this.#answer(0);
    }
    const count = run.render(block, this.#reporter.now, isFalling);
    this.#reporter.passMarks(count);
    if (isSeeking && run.isFaded) this.#drop();
    else if (isCancelled && run.isFaded) this.#abandon(count);
    else if (run.isOver) this.#endRun(count);
    else reader.release(run.spentPosition);
    return count;
  }

  /** Ends the run after all of it has been rendered. Silence begins at output sample `offset`. */
  #endRun(offset: number): void {
    const run = this.#run;
    const reader = this.#reader;
    reader.takeEnd(run.feed.made);
    while (reader.marks.length > 0) this.#reporter.passMark(offset);
    this.#reporter.endRun(run.feed.read);
    run.open();
    reader.release(reader.ring.position);
    if (!this.#becomeIdle(offset)) this.#state = PlayoutState.priming;
  }

  /** Ends a run that was cancelled and has faded out. Goes back to the first sample that is not cancelled. */
  #abandon(offset: number): void {
    const { ring, marks } = this.#reader;
    while (marks.length > 0 && (marks.kind === MarkKind.end || ring.isCancelled(marks.serial))) {
      this.#reporter.passMark(offset);
    }
    this.#cutRun();
    this.#state = PlayoutState.priming;
    this.#skipCancelled();
    this.#becomeIdle(offset);
  }

  /** Ends a run that has faded out for a seek. The rest of it is skipped. */
  #drop(): void {
    this.#cutRun();
    this.#takeSeek();
  }

  /** Ends the run after what was emitted. Goes back to the oldest mark that the output has not passed. */
  #cutRun(): void {
    const { base, emitted } = this.#run;
    const { ring, marks } = this.#reader;
    if (marks.length > 0) this.#reader.rewind();
    this.#reporter.endRun(emitted);
    this.#reporter.discard(Math.max(0, ((ring.position - base) | 0) - emitted));
    this.#reporter.serial = 0;
    this.#run.open();
  }

  /** Goes back to the next sample to play, and continues with another resampler. */
  #reopen(): void {
    const run = this.#run;
    const { emitted } = run;
    this.#reader.seek((run.base + emitted) | 0, this.#reporter.serial);
    this.#reporter.endRun(emitted);
    run.open();
    this.#state = PlayoutState.playing;
  }
}
