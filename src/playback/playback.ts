import type { SessionCounters, SpeakerReport } from '../session/command.js';
import { Deferred } from './deferred.js';
import { HeardQueue } from './heard-queue.js';
import { Pipeline, type PipelineListener } from './pipeline.js';
import type {
  LineEvent,
  PlayableSession,
  PlaybackEvent,
  PlaybackHost,
  PlaybackLine,
  PlaybackOutput,
  SessionReason,
} from './ports.js';
import { SpeakerError } from './speaker-error.js';
import { addTotals, noTotals, speakerStats, type SpeakerStats } from './stats.js';
import { SingleTimeRange } from './time-ranges.js';
import { Timeline } from './timeline.js';
import { type Utterance, UtteranceRecord } from './utterance.js';

/** As in HTMLMediaElement. */
export const NetworkState = { empty: 0, idle: 1, loading: 2, noSource: 3 } as const;
/** As in HTMLMediaElement. */
export const ReadyState = { nothing: 0, metadata: 1, currentData: 2, futureData: 3, enoughData: 4 } as const;

/** HTML asks for a `timeupdate` every 15 to 250 ms, and a `progress` about every 350 ms. */
const TIMEUPDATE_MS = 250;
const PROGRESS_MS = 350;

/** Context of the first utterance, as in the session request's default; the next is `turn-2`. */
const CONTEXT_PREFIX = 'turn-';

/**
 * The media element's mind: what is to be spoken, what of it is heard, and in which order the page is told.
 *
 * It knows neither DOM nor Web Audio. State changes at once; its event follows in a microtask, in order.
 *
 * Main thread.
 */
export class Playback implements PipelineListener {
  readonly #host: PlaybackHost;
  readonly #heard: HeardQueue;
  readonly #timeline = new Timeline();
  #pipeline: Pipeline;
  /** What has not been heard to its end, in the order it is spoken. */
  #outstanding: UtteranceRecord[] = [];
  #serial = 0;
  #contexts = 0;
  /** Promises of `play()` that wait for sound. */
  #plays: Deferred[] = [];

  #paused = true;
  /** The page or its user has paused: new speech waits for `play()`. */
  #pausedByUser = false;
  #ended = false;
  #blocked = false;
  /** Sound is leaving. */
  #sounding = false;
  #readyState: number = ReadyState.nothing;
  #networkState: number = NetworkState.empty;
  #error: SpeakerError | null = null;
  #sending = false;
  /** Something has been asked for whose end has not been told. */
  #active = false;

  #timer: unknown;
  #progressAt = 0;
  #counters: SessionCounters | undefined;
  #totals = noTotals;
  #line: PlaybackLine | undefined;
  #output: PlaybackOutput | undefined;
  #firstFrameToSoundMs: number | null = null;
  #targetDelayMs = 120;
  #gain = 1;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#heard = new HeardQueue(host.clock);
    this.#pipeline = new Pipeline(host, this, this.#targetDelayMs, this.#gain);
  }

  get paused(): boolean {
    return this.#paused;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The browser wants a gesture before it plays sound. */
  get blocked(): boolean {
    return this.#blocked;
  }

  get readyState(): number {
    return this.#readyState;
  }

  get networkState(): number {
    return this.#networkState;
  }

  get error(): SpeakerError | null {
    return this.#error;
  }

  /** Seconds that have been heard. */
  get currentTime(): number {
    return this.#timeline.current(this.#sounding);
  }

  get duration(): number {
    return this.#timeline.duration;
  }

  get buffered(): SingleTimeRange {
    const line = this.#line;
    const waiting = line ? Math.max(0, this.#received - line.stats().emittedSamples) / line.sampleRate : 0;
    return new SingleTimeRange(this.currentTime + waiting);
  }

  get played(): SingleTimeRange {
    return new SingleTimeRange(this.currentTime);
  }

  /** Always empty: there is no going back in a stream. */
  get seekable(): SingleTimeRange {
    return new SingleTimeRange(0);
  }

  /** The gain node at the end of this speaker's part of the graph, if there is one yet. */
  get line(): PlaybackLine | undefined {
    return this.#line;
  }

  /** Utterances that are being spoken or wait, in order. */
  get utterances(): readonly Utterance[] {
    return this.#outstanding.map((record) => record.utterance);
  }

  /** Samples of the present line that have come and were not cancelled. */
  get #received(): number {
    return (this.#counters?.samplesReceived ?? 0) - this.#receivedBefore - (this.#line?.stats().discardedSamples ?? 0);
  }
  #receivedBefore = 0;

  stats(): SpeakerStats {
    const totals = addTotals(this.#totals, this.#line);
    return speakerStats(totals, this.#counters, this.#line, this.#output, this.#firstFrameToSoundMs);
  }

  /** @param ms - 0 to 4000. */
  setTargetDelay(ms: number): void {
    this.#targetDelayMs = ms;
    this.#pipeline.setTargetDelay(ms);
  }

  /** @param gain - Linear, 0 to 1. */
  setGain(gain: number): void {
    this.#gain = gain;
    this.#pipeline.setGain(gain);
  }

  setKeepOpen(keepOpen: boolean): void {
    this.#pipeline.setKeepOpen(keepOpen);
  }

  /** HTML's `play()`: resolves when sound is leaving. */
  play(): Promise<void> {
    if (this.#outstanding.length === 0 && !this.#host.hasSource) return Promise.reject(this.#noSource());
    this.#pausedByUser = false;
    if (this.#outstanding.length === 0) {
      if (this.#ended) this.#restart();
      this.#add(this.#host.text, 'play');
    }
    const promise = new Deferred();
    // A page that does not look at the promise still gets `blocked` and `error`.
    promise.promise.catch(() => {});
    if (!this.#paused && this.#sounding) promise.resolve();
    else this.#plays.push(promise);
    this.#resume();
    return promise.promise;
  }

  /** HTML's `pause()`. */
  pause(): void {
    if (this.#paused) return;
    this.#pausedByUser = true;
    this.#hold();
    this.#rejectPlays('play() was interrupted by pause()');
  }

  /**
   * Speaks `text` after what is being spoken.
   *
   * @throws {DOMException} InvalidStateError if the page has named no source of sessions.
   */
  speak(text: string, contextId?: string): Utterance {
    if (!this.#host.hasSource) throw this.#noSource();
    const record = this.#add(text, 'speak', contextId);
    if (!this.#pausedByUser) this.#resume();
    return record.utterance;
  }

  /** Silences everything that is spoken or waits. */
  cancel(): void {
    this.#drop(this.#outstanding.slice(), this.#aborted('The speech was cancelled'));
  }

  /** A source has been set: what was there is gone. */
  load(): void {
    this.close();
    this.#networkState = NetworkState.idle;
    this.#dispatch({ type: 'loadstart' });
  }

  /** Drops everything, closes the socket, and goes back to the empty state. Idempotent. */
  close(): void {
    this.#drop(this.#outstanding.slice(), this.#aborted('The speaker was closed'));
    this.#rejectPlays('The speaker was closed');
    this.#heard.clear();
    this.#pipeline.close();
    this.#pipeline = new Pipeline(this.#host, this, this.#targetDelayMs, this.#gain);
    this.#line = undefined;
    this.#output = undefined;
    this.#timeline.follow(undefined, undefined);
    this.#timeline.reset();
    this.#counters = undefined;
    this.#totals = noTotals;
    this.#receivedBefore = 0;
    this.#firstFrameToSoundMs = null;
    this.#paused = true;
    this.#pausedByUser = false;
    this.#blocked = false;
    this.#ended = false;
    this.#error = null;
    this.#sending = false;
    this.#contexts = 0;
    this.#readyState = ReadyState.nothing;
    if (this.#networkState === NetworkState.empty) return;
    this.#networkState = NetworkState.empty;
    this.#dispatch({ type: 'emptied' });
  }

  // --- towards sound

  #add(text: string | null, origin: 'play' | 'speak', contextId?: string): UtteranceRecord {
    const id = contextId ?? `${CONTEXT_PREFIX}${++this.#contexts}`;
    const record = new UtteranceRecord(id, text, origin, (one) => {
      if (this.#outstanding.includes(one)) this.#drop([one], this.#aborted('The utterance was cancelled'));
    });
    this.#outstanding.push(record);
    this.#active = true;
    this.#ended = false;
    this.#error = null;
    if (this.#networkState === NetworkState.empty) {
      this.#networkState = NetworkState.idle;
      this.#dispatch({ type: 'loadstart' });
    }
    if (this.#readyState !== ReadyState.nothing && this.#timeline.extend()) this.#dispatch({ type: 'durationchange' });
    return record;
  }

  /** Speech begins at 0 again. */
  #restart(): void {
    this.#timeline.reset();
    this.#dispatch({ type: 'timeupdate' });
  }

  #resume(): void {
    if (this.#paused) {
      this.#paused = false;
      this.#dispatch({ type: 'play' });
      if (this.#readyState < ReadyState.futureData) this.#dispatch({ type: 'waiting' });
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
      const unlocked = await pipeline.start();
      if (pipeline.closed) return;
      this.#sending = false;
      this.#output = pipeline.output;
      if (this.#paused) return;
      if (!unlocked) {
        this.#block(pipeline);
        return;
      }
      this.#blocked = false;
      for (const record of this.#outstanding) {
        if (record.serial === 0) this.#enqueue(record);
      }
    } catch (error) {
      if (pipeline.closed) return;
      this.#sending = false;
      this.outputFailed(SpeakerError.from(error, 'output-failed'));
    }
  }

  #enqueue(record: UtteranceRecord): void {
    record.serial = ++this.#serial;
    this.#pipeline.enqueue(record.serial, record.utterance.contextId, record.text);
  }

  /** The browser refuses to play: what `play()` began is dropped, what `speak()` was given waits for a gesture. */
  #block(pipeline: Pipeline): void {
    const error = this.#host.domException(
      'The browser plays no sound before the user has touched the page: call play() from a click or key press.',
      'NotAllowedError',
    );
    const begun = this.#outstanding.filter((record) => record.origin === 'play' && record.serial === 0);
    this.#outstanding = this.#outstanding.filter((record) => !begun.includes(record));
    for (const record of begun) record.abandon(error);
    this.#blocked = true;
    this.#hold();
    this.#dispatch({ type: 'blocked' });
    for (const play of this.#plays.splice(0)) play.reject(error);
    pipeline.output?.onUnlock(() => {
      if (pipeline !== this.#pipeline || !this.#blocked) return;
      this.#blocked = false;
      const waits = this.#outstanding.length > 0 && !this.#pausedByUser;
      if (waits && this.#host.resumesOnGesture) this.#resume();
    });
  }

  /** Stops the sound where it is. */
  #hold(): void {
    this.#sound(false);
    this.#paused = true;
    this.#pipeline.setPaused(true);
    this.#pipeline.setBusy(false);
    this.#dispatch({ type: 'timeupdate' });
    this.#dispatch({ type: 'pause' });
  }

  #drop(records: readonly UtteranceRecord[], reason: Error): void {
    if (records.length === 0) return;
    const sent = records.map((record) => record.serial).filter((serial) => serial !== 0);
    if (sent.length > 0) this.#pipeline.cancel(sent);
    this.#outstanding = this.#outstanding.filter((record) => !records.includes(record));
    for (const record of records) record.abandon(reason);
    if (this.#outstanding.length > 0) return;
    this.#heard.clear();
    this.#pipeline.abortRequest();
    this.#pausedByUser = false;
    this.#blocked = false;
    if (this.#timeline.complete()) this.#dispatch({ type: 'durationchange' });
    this.#stop();
    this.#rejectPlays(reason.message);
  }

  /** There is nothing left to play. */
  #stop(): void {
    this.#active = false;
    if (!this.#paused) this.#hold();
    this.#pipeline.setPaused(false);
  }

  #rejectPlays(message: string): void {
    const error = this.#aborted(message);
    for (const play of this.#plays.splice(0)) play.reject(error);
  }

  // --- from the pipeline

  reason(serial: number): SessionReason | null {
    return this.#find(serial)?.origin ?? null;
  }

  /**
   * A session may bring contexts of its own in `messages`. They are spoken first, each an utterance: where that is not
   * what was queued, everything from here on is queued again in the right order.
   */
  session(session: PlayableSession, serial: number): boolean {
    const asking = this.#find(serial);
    if (!asking) return true;
    const contexts = [...new Set(session.messages.map((message) => message.context_id))];
    const own = asking.text === null ? 1 : 0;
    if (contexts.length <= own && (own === 0 || contexts.length === 0)) return true;
    if (own === 1 && contexts.length === 1 && contexts[0] === asking.utterance.contextId) return true;
    const from = this.#outstanding.indexOf(asking);
    const later = this.#outstanding.slice(from + own);
    const brought = contexts.map(
      (id) =>
        new UtteranceRecord(id, null, asking.origin, (one) =>
          this.#drop([one], this.#aborted('The utterance was cancelled')),
        ),
    );
    this.#pipeline.cancel(
      this.#outstanding
        .slice(from)
        .map((record) => record.serial)
        .filter((one) => one !== 0),
    );
    this.#outstanding = [...this.#outstanding.slice(0, from), ...brought, ...later];
    for (const record of [...brought, ...later]) this.#enqueue(record);
    return false;
  }

  sessionFailed(error: SpeakerError): void {
    this.#fail(
      this.#outstanding.filter((record) => record.firstAudioMs === 0),
      error,
    );
  }

  outputFailed(error: SpeakerError): void {
    this.#fail(this.#outstanding.slice(), error, true);
  }

  lineChanged(line: PlaybackLine | undefined, output: PlaybackOutput | undefined): void {
    if (this.#line) {
      this.#totals = addTotals(this.#totals, this.#line);
      this.#receivedBefore = this.#counters?.samplesReceived ?? 0;
    }
    this.#timeline.follow(line, output);
    this.#line = line;
  }

  report(report: SpeakerReport): void {
    switch (report.type) {
      case 'socket-open':
        this.#networkState = NetworkState.loading;
        if (this.#readyState !== ReadyState.nothing) break;
        this.#timeline.extend();
        this.#readyState = ReadyState.metadata;
        this.#dispatch({ type: 'durationchange' });
        this.#dispatch({ type: 'loadedmetadata' });
        break;
      case 'first-audio':
        this.#firstAudio(report.serial, report.atMs);
        break;
      case 'received':
        this.#receive(report.serial, report.samples);
        break;
      case 'context-done':
        this.#dispatch({ type: 'contextdone', contextId: report.contextId });
        break;
      case 'failed': {
        const { reason, message, closeCode, retryable, serials } = report;
        const error = new SpeakerError(reason, message, { closeCode, retryable });
        this.#fail(
          serials.map((serial) => this.#find(serial)).filter((record) => record !== undefined),
          error,
        );
        break;
      }
      case 'socket-close':
        if (this.#networkState === NetworkState.loading) this.#networkState = NetworkState.idle;
        this.#dispatch({ type: 'socketclose', code: report.code, reason: report.reason, openMs: report.openMs });
        break;
      case 'counters':
        this.#counters = report.counters;
        this.#progress();
        break;
    }
  }

  event(event: LineEvent, delayMs: number): void {
    this.#heard.push(delayMs, () => this.#hear(event));
  }

  #hear(event: LineEvent): void {
    switch (event.event) {
      case 'playing':
        this.#play();
        break;
      case 'start':
        this.#start(event.serial);
        break;
      case 'end':
        this.#finish(event.serial);
        break;
      case 'stalled':
        this.#wait();
        break;
      case 'underrun':
        this.#dispatch({ type: 'underrun', durationMs: event.durationMs });
        break;
      case 'drained':
        if (this.#outstanding.length > 0) this.#wait();
        else if (this.#active) this.#end();
        break;
    }
  }

  #firstAudio(serial: number, atMs: number): void {
    const record = this.#find(serial);
    if (record) record.firstAudioMs = atMs;
    this.#canPlay(ReadyState.futureData);
  }

  #canPlay(readyState: number): void {
    const could = this.#readyState >= ReadyState.futureData;
    this.#readyState = Math.max(this.#readyState, readyState);
    if (!could) this.#dispatch({ type: 'canplay' });
  }

  #play(): void {
    if (this.#paused) return;
    this.#canPlay(ReadyState.enoughData);
    this.#sound(true);
    this.#dispatch({ type: 'playing' });
    for (const play of this.#plays.splice(0)) play.resolve();
  }

  #start(serial: number): void {
    const record = this.#find(serial);
    if (!record) return;
    if (this.#firstFrameToSoundMs === null && record.firstAudioMs > 0) {
      this.#firstFrameToSoundMs = this.#host.clock.now() - record.firstAudioMs;
    }
    record.start();
    this.#dispatch({ type: 'utterancestart', utterance: record.utterance });
  }

  #finish(serial: number): void {
    const record = this.#find(serial);
    if (!record) return;
    this.#outstanding.splice(this.#outstanding.indexOf(record), 1);
    record.finish();
    this.#dispatch({ type: 'utteranceend', utterance: record.utterance });
  }

  /** All of an utterance has come. */
  #receive(serial: number, samples: number): void {
    const record = this.#find(serial);
    if (!record) return;
    record.complete = true;
    this.#timeline.receive(samples / (this.#line?.sampleRate ?? Number.POSITIVE_INFINITY));
    if (this.#outstanding.every((one) => one.complete) && this.#timeline.complete()) {
      this.#dispatch({ type: 'durationchange' });
    }
    if (samples > 0) return;
    // An utterance without sound is over when those before it are: no mark will tell.
    const before = this.#outstanding.slice(0, this.#outstanding.indexOf(record));
    void Promise.allSettled(before.map((one) => one.utterance.finished)).then(() => {
      if (!this.#outstanding.includes(record)) return;
      this.#finish(serial);
      if (this.#outstanding.length === 0) this.#end();
    });
  }

  /** Sound has run out and more is to come. */
  #wait(): void {
    this.#sound(false);
    if (this.#readyState > ReadyState.currentData) this.#readyState = ReadyState.currentData;
    if (!this.#paused) this.#dispatch({ type: 'waiting' });
  }

  /** The last sample has been heard. As in HTML, an element that has ended is paused. */
  #end(): void {
    this.#sound(false);
    this.#active = false;
    this.#pipeline.setBusy(false);
    if (this.#readyState > ReadyState.currentData) this.#readyState = ReadyState.currentData;
    if (this.#error) {
      this.#stop();
      return;
    }
    const news = this.#timeline.complete();
    this.#timeline.end();
    this.#ended = true;
    const paused = this.#paused;
    this.#paused = true;
    if (news) this.#dispatch({ type: 'durationchange' });
    this.#dispatch({ type: 'timeupdate' });
    if (!paused) this.#dispatch({ type: 'pause' });
    this.#dispatch({ type: 'ended' });
    for (const play of this.#plays.splice(0)) play.resolve();
  }

  /**
   * @param records - What gets no more audio.
   * @param silenced - What is buffered of it is not heard either.
   */
  #fail(records: readonly UtteranceRecord[], error: SpeakerError, silenced = false): void {
    if (records.length === 0) return;
    this.#error = error;
    for (const record of records) record.failure = error;
    const silent = silenced ? records : records.filter((record) => record.firstAudioMs === 0);
    this.#outstanding = this.#outstanding.filter((record) => !silent.includes(record));
    const sent = silent.map((record) => record.serial).filter((serial) => serial !== 0);
    if (sent.length > 0) this.#pipeline.cancel(sent);
    for (const record of silent) record.abandon(error);
    this.#dispatch({ type: 'error' });
    if (this.#outstanding.length > 0) return;
    const failed = this.#host.domException(error.message, 'NotSupportedError');
    for (const play of this.#plays.splice(0)) play.reject(failed);
    this.#stop();
  }

  #progress(): void {
    const now = this.#host.clock.now();
    if (this.#networkState !== NetworkState.loading || now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    this.#dispatch({ type: 'progress' });
  }

  #sound(sounding: boolean): void {
    this.#sounding = sounding;
    this.#host.clock.clearTimeout(this.#timer);
    if (!sounding) return;
    const tick = (): void => {
      this.#dispatch({ type: 'timeupdate' });
      this.#timer = this.#host.clock.setTimeout(tick, TIMEUPDATE_MS);
    };
    this.#timer = this.#host.clock.setTimeout(tick, TIMEUPDATE_MS);
  }

  #find(serial: number): UtteranceRecord | undefined {
    return this.#outstanding.find((record) => record.serial === serial);
  }

  #aborted(message: string): Error {
    return this.#host.domException(message, 'AbortError');
  }

  #noSource(): Error {
    return this.#host.domException(
      'There is nothing to play from: set src, session, sessionProvider or session-endpoint first.',
      'InvalidStateError',
    );
  }

  #dispatch(event: PlaybackEvent): void {
    queueMicrotask(() => this.#host.dispatch(event));
  }
}
