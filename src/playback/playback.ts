import type { SpeakerReport } from '../connection/command.js';
import type { PlayoutEvent } from '../ring/index.js';
import { HeardQueue } from './heard-queue.js';
import { MediaState, ReadyState } from './media-state.js';
import { Pipeline, type PipelineListener } from './pipeline.js';
import type {
  PlayableSession,
  PlaybackHost,
  PlaybackNode,
  PlaybackOutput,
  SessionReason,
  TextStream,
} from './ports.js';
import { SpeakerError } from './speaker-error.js';
import { SpeechQueue } from './speech-queue.js';
import { Statistics, type SpeakerStats } from './stats.js';
import { SingleTimeRange } from './time-ranges.js';
import type { Utterance, UtteranceRecord } from './utterance.js';

/** The part of the state that the page sees. */
export type MediaAttributes = Readonly<
  Pick<MediaState, 'paused' | 'ended' | 'blocked' | 'sounding' | 'readyState' | 'networkState' | 'error'>
>;

/**
 * The media element's mind: what is to be spoken, what of it is heard, and in which order the page is told.
 *
 * It knows neither DOM nor Web Audio. State changes at once; its event follows in a microtask, in order.
 *
 * Main thread.
 */
export class Playback implements PipelineListener {
  /** What the page sees. */
  readonly state: MediaAttributes;
  readonly #state: MediaState;
  readonly #host: PlaybackHost;
  readonly #queue: SpeechQueue;
  readonly #heard: HeardQueue;
  #pipeline: Pipeline;
  #stats = new Statistics();
  /** The page or its user has paused: new speech waits for `play()`. */
  #pausedByUser = false;
  #sending = false;
  /** Something has been asked for whose end has not been told. */
  #active = false;
  /** The last of what was asked for has failed: it does not end as it should. */
  #broken = false;
  /** Rate of the latest session, in Hz. */
  #sampleRate = 0;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#state = new MediaState(host.clock, (event) => host.dispatch(event));
    this.state = this.#state;
    this.#queue = new SpeechQueue((record) => this.#cancel([record], 'The utterance was cancelled'));
    this.#heard = new HeardQueue(host.clock);
    this.#pipeline = new Pipeline(this.#host, this);
  }

  /** Seconds that have been heard. */
  get currentTime(): number {
    return this.#state.timeline.current(this.#state.sounding);
  }

  get duration(): number {
    return this.#state.timeline.duration;
  }

  get buffered(): SingleTimeRange {
    const { currentTime, duration } = this;
    const end = this.#queue.isEmpty ? currentTime : currentTime + this.#stats.waiting;
    return new SingleTimeRange(Number.isNaN(duration) ? end : Math.min(end, duration));
  }

  get played(): SingleTimeRange {
    return new SingleTimeRange(this.currentTime);
  }

  /** Always empty: there is no going back in a stream. */
  get seekable(): SingleTimeRange {
    return new SingleTimeRange(0);
  }

  /** This speaker's part of the audio graph, if there is one yet. */
  get line(): PlaybackNode | undefined {
    return this.#pipeline.line;
  }

  /** What is being spoken, or will be next. */
  get head(): Readonly<Pick<UtteranceRecord, 'utterance' | 'seconds'>> | undefined {
    return this.#queue.head;
  }

  /** Something is being spoken, or waits for it. */
  get hasSpeech(): boolean {
    return !this.#queue.isEmpty;
  }

  stats(): SpeakerStats {
    return this.#stats.read();
  }

  /** A MediaStream of what is heard. */
  capture(): unknown {
    return this.#pipeline.capture();
  }

  /**
   * Opens the output that the page wants now, or goes on there.
   *
   * @throws {SpeakerError} If it cannot be had.
   */
  moveOutput(): Promise<void> {
    return this.#pipeline.moveOutput();
  }

  /** The page wants another output; if none is open, the next word will have it. */
  outputChanged(): void {
    if (this.#pipeline.output) this.moveOutput().catch((error: SpeakerError) => this.outputFailed(error));
  }

  setKeepOpen(keepOpen: boolean): void {
    this.#pipeline.setKeepOpen(keepOpen);
  }

  /** HTML's `play()`: resolves when sound is leaving. */
  play(): Promise<void> {
    this.#pausedByUser = false;
    const { ended } = this.#state;
    if (this.#queue.isEmpty) {
      if (!this.#host.hasSource) return Promise.reject(this.#noSource());
      if (ended) this.#state.restart();
      const { text } = this.#host;
      this.#add(text === null ? null : [text], false, 'play');
    }
    const promise = this.#state.untilSound();
    this.#resume();
    if (ended) this.#state.restarted();
    return promise;
  }

  /** HTML's `pause()`. */
  pause(): void {
    this.#pausedByUser = !this.#queue.isEmpty;
    if (this.#state.paused) return;
    this.#hold();
    this.#state.rejectPlays(this.#aborted('play() was interrupted by pause()'));
  }

  /**
   * Speaks `text` after what is being spoken.
   *
   * @throws {DOMException} InvalidStateError if the page has named no source of sessions.
   */
  speak(text: string | TextStream, contextId?: string): Utterance {
    if (!this.#host.hasSource) throw this.#noSource();
    const whole = typeof text === 'string';
    const record = this.#add(whole ? [text] : [], !whole, 'speak', contextId);
    if (!whole) void this.#read(record, text);
    if (!this.#pausedByUser) this.#resume();
    return record.utterance;
  }

  /** Takes sentences from a stream for as long as they are wanted. */
  async #read(record: UtteranceRecord, stream: TextStream): Promise<void> {
    const stop = new AbortController();
    void record.utterance.finished.catch(() => {}).then(() => stop.abort());
    const add = (text: string | null): void => {
      if (text === null) record.more = false;
      else record.texts!.push(text);
      if (record.serial > 0) this.#pipeline.addText(record.serial, text);
    };
    try {
      await this.#host.readSentences(stream, add, stop.signal);
    } catch (cause) {
      if (stop.signal.aborted) return;
      const { message: said } = SpeakerError.from(cause, 'aborted');
      const message = `The stream of text that speak() was given broke off: ${said}`;
      // What has come of it is spoken.
      const dropped = record.texts!.length > 0 ? [] : [record];
      this.#fail([record], new SpeakerError('aborted', message, { cause }), dropped);
    }
    if (!stop.signal.aborted) add(null);
  }

  /** Silences everything that is spoken or waits. */
  cancel(): void {
    this.#cancel(this.#queue.all, 'The speech was cancelled');
  }

  /** A source has been set: what was there is gone. */
  load(): void {
    this.close();
    this.#state.load();
  }

  /** Drops everything, closes the socket, and goes back to the empty state. Idempotent. */
  close(): void {
    const closed = this.#aborted('The speaker was closed');
    for (const record of this.#queue.clear()) record.abandon(closed);
    this.#heard.clear();
    this.#pipeline.close();
    this.#pipeline = new Pipeline(this.#host, this);
    this.#stats = new Statistics();
    this.#pausedByUser = false;
    this.#sending = false;
    this.#active = false;
    this.#state.rejectPlays(closed); // before it is told of, as in HTML
    this.#state.empty();
  }

  // --- towards sound

  #add(...utterance: Parameters<SpeechQueue['add']>): UtteranceRecord {
    this.#active = true;
    this.#broken = false;
    this.#state.begin();
    return this.#queue.add(...utterance);
  }

  #resume(): void {
    if (this.#state.paused) {
      this.#state.resume();
      this.#pipeline.setPaused(false);
    }
    this.#pipeline.setBusy(true);
    void this.#send();
  }

  /** Hands over what waits, once worker and output are there. */
  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    const pipeline = this.#pipeline;
    try {
      const { head } = this.#queue;
      const unlocked = await pipeline.start(head?.texts?.length === 0 ? undefined : head?.origin);
      if (pipeline.closed) return;
      this.#sending = false;
      this.#stats.follow(pipeline.line, pipeline.output);
      if (this.#state.paused) return;
      if (unlocked) this.#enqueue(this.#queue.number());
      else this.#block(pipeline);
    } catch (error) {
      if (pipeline.closed) return;
      this.#sending = false;
      this.outputFailed(SpeakerError.from(error, 'output-failed'));
    }
  }

  #enqueue(records: readonly UtteranceRecord[]): void {
    for (const record of records) this.#pipeline.enqueue(record);
  }

  /** The browser refuses to play: what `play()` began is dropped, what `speak()` was given waits for a gesture. */
  #block(pipeline: Pipeline): void {
    const error = new DOMException(
      'The browser plays no sound before the user has touched the page: call play() from a click or key press.',
      'NotAllowedError',
    );
    const begun = this.#queue.all.filter((record) => record.origin === 'play' && record.serial === 0);
    this.#queue.remove(begun);
    for (const record of begun) record.abandon(error);
    this.#hold();
    this.#state.blocked = true;
    this.#state.tell({ type: 'blocked' });
    this.#state.rejectPlays(error);
    pipeline.output?.onUnlock(() => {
      if (pipeline.closed || !this.#state.blocked || this.#pausedByUser) return;
      if (this.hasSpeech && this.#host.resumesOnGesture) this.#resume();
    });
  }

  /** Stops the sound where it is. */
  #hold(): void {
    this.#state.hold();
    this.#pipeline.setPaused(true);
    this.#pipeline.setBusy(false);
  }

  #cancel(records: readonly UtteranceRecord[], message: string): void {
    const reason = this.#aborted(message);
    if (!this.#drop(records, reason) || this.hasSpeech) return;
    this.#heard.clear();
    this.#pipeline.abortRequest();
    this.#state.blocked = false;
    this.#stop();
    this.#state.rejectPlays(reason);
  }

  /** Takes utterances out of the queue, and silences them. Returns false if they were over already. */
  #drop(records: readonly UtteranceRecord[], reason: Error): boolean {
    const dropped = this.#queue.all.filter((record) => records.includes(record));
    if (dropped.length === 0) return false;
    if (dropped[0] === this.#queue.head && dropped[0]!.firstAudioMs > 0) this.#state.timeline.cut();
    this.#pipeline.cancel(dropped.map((record) => record.serial).filter((serial) => serial !== 0));
    this.#queue.remove(dropped);
    for (const record of dropped) record.abandon(reason);
    this.#complete();
    return true;
  }

  /** There is nothing left to play. */
  #stop(): void {
    this.#active = false;
    this.#pausedByUser = false;
    this.#complete();
    this.#hold();
    this.#pipeline.setPaused(false);
  }

  // --- from the pipeline

  reason(serial: number): SessionReason | null {
    return this.#queue.find(serial)?.origin ?? null;
  }

  session(given: PlayableSession, serial: number, retry: boolean): { session: PlayableSession; aside: boolean } {
    this.#sampleRate = given.sampleRate;
    const asking = this.#queue.find(serial);
    if (!asking) return { session: given, aside: false };
    const { session, withdrawn, queued } = this.#queue.arrange(given, asking, retry);
    this.#pipeline.cancel(withdrawn);
    this.#enqueue(queued);
    return { session, aside: queued.length > 0 };
  }

  heardBefore(serial: number): Promise<unknown> {
    return Promise.allSettled(this.#queue.before(serial).map((record) => record.utterance.finished));
  }

  sessionFailed(error: SpeakerError): void {
    this.#fail(
      this.#queue.all.filter((record) => record.firstAudioMs === 0),
      error,
    );
  }

  outputFailed(error: SpeakerError): void {
    const { all } = this.#queue;
    this.#fail(all, error, all);
  }

  lineChanged(line: PlaybackNode | undefined, output: PlaybackOutput | undefined): void {
    if (!line) this.#state.wait();
    this.#state.timeline.follow(line, output);
    this.#stats.follow(line, output);
  }

  lineMoves(): void {
    this.#state.wait();
  }

  outputBlocked(pipeline: Pipeline): void {
    if (!this.#state.paused) this.#block(pipeline);
  }

  report(report: SpeakerReport, late: boolean): void {
    switch (report.type) {
      case 'socket-open':
        this.#state.connect();
        break;
      case 'first-audio':
        this.#firstAudio(report.serial, report.atMs);
        break;
      case 'received':
        this.#receive(report.serial, report.samples);
        break;
      case 'context-done':
        this.#state.tell({ type: 'contextdone', contextId: report.contextId });
        break;
      case 'failed': {
        const { reason, message, closeCode, retryable, serials } = report;
        const failed = this.#queue.all.filter((record) => serials.includes(record.serial));
        this.#fail(failed, new SpeakerError(reason, message, { closeCode, retryable }));
        break;
      }
      case 'socket-close':
        if (!late) this.#state.disconnect();
        this.#state.tell({ type: 'socketclose', code: report.code, reason: report.reason, openMs: report.openMs });
        break;
      case 'counters':
        this.#stats.count(report.counters);
        this.#state.progress();
        break;
    }
  }

  event(event: PlayoutEvent, delayMs: number): void {
    this.#state.timeline.note(event);
    this.#heard.push(delayMs, () => this.#hear(event));
  }

  #hear(event: PlayoutEvent): void {
    switch (event.event) {
      case 'playing':
        this.#state.timeline.soundFrom(event.at);
        this.#state.play();
        break;
      case 'start':
        this.#start(event.serial);
        break;
      case 'end':
        this.#finish(event.serial);
        break;
      case 'stalled':
        this.#state.wait();
        break;
      case 'underrun':
        this.#state.tell({ type: 'underrun', durationMs: event.durationMs });
        break;
      case 'drained':
        this.#drained();
        break;
    }
  }

  #firstAudio(serial: number, atMs: number): void {
    const record = this.#queue.find(serial);
    if (!record) return;
    record.firstAudioMs = atMs;
    this.#state.canPlay(ReadyState.futureData);
  }

  #start(serial: number): void {
    const record = this.#queue.find(serial);
    if (!record) return;
    if (record.firstAudioMs > 0) this.#stats.noteSound(this.#host.clock.now() - record.firstAudioMs);
    this.#state.tell({ type: 'utterancestart', utterance: record.utterance });
    record.start();
  }

  #finish(serial: number): void {
    const record = this.#queue.find(serial);
    if (!record) return;
    this.#queue.remove([record]);
    if (record.seconds === null) this.#state.timeline.cut();
    else this.#state.timeline.pass(record.seconds);
    this.#state.tell({ type: 'utteranceend', utterance: record.utterance });
    record.finish();
    this.#finishSilent();
  }

  /** An utterance without sound is over when those before it are: no mark will tell. */
  #finishSilent(): void {
    const { head } = this.#queue;
    if (head?.seconds === 0) this.#finish(head.serial);
  }

  /** All of an utterance has come. */
  #receive(serial: number, samples: number): void {
    const record = this.#queue.find(serial);
    if (!record) return;
    // Without a sample there may have been no session.
    record.seconds = samples && samples / this.#sampleRate;
    this.#complete();
    this.#finishSilent();
    if (!this.hasSpeech && !this.#state.sounding) this.#drained();
  }

  /** Nothing more will come, if all of every utterance is there. */
  #complete(): void {
    const { all } = this.#queue;
    if (all.some((record) => record.seconds === null)) return;
    this.#state.complete(all.reduce((sum, record) => sum + (record.seconds ?? 0), 0));
  }

  /** What there was has been heard. */
  #drained(): void {
    if (this.hasSpeech) {
      this.#state.wait();
    } else if (this.#active) {
      this.#active = false;
      this.#pausedByUser = false;
      this.#pipeline.setBusy(false);
      if (this.#broken) this.#breakOff();
      else this.#state.end();
    }
  }

  /** Nothing follows, though more was to come. */
  #breakOff(): void {
    this.#stop();
    this.#state.rejectPlays(new DOMException(this.#state.error?.message ?? '', 'NotSupportedError'));
  }

  /**
   * @param records - What gets no more audio.
   * @param dropped - Of these, what is not heard at all.
   */
  #fail(
    records: readonly UtteranceRecord[],
    error: SpeakerError,
    dropped: readonly UtteranceRecord[] = records.filter((record) => record.firstAudioMs === 0),
  ): void {
    if (records.length === 0) return;
    this.#broken ||= records.includes(this.#queue.all.at(-1)!);
    for (const record of records) record.failure = error;
    this.#state.fail(error);
    this.#drop(dropped, error);
    if (!this.hasSpeech && !this.#state.sounding) this.#breakOff();
  }

  // --- what promises reject with

  #aborted(message: string): Error {
    return new DOMException(message, 'AbortError');
  }

  #noSource(): Error {
    return new DOMException(
      'There is nothing to play from: set src, session, sessionProvider or session-endpoint first.',
      'InvalidStateError',
    );
  }
}
