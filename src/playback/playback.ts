import { SpeakerError } from '../base/speaker-error.js';
import type { StreamFailure } from '../connection/audio-input.js';
import type { SpeakerReport } from '../connection/speaker-report.js';
import type { SessionBroker } from '../sessions/session-broker.js';
import type { SessionReason } from '../sessions/session-reason.js';
import { isSpokenAsWritten, type SpokenAs } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';
import { type Run, spokenOf } from '../speakable/runs.js';
import type { HeardFacts } from './heard-part.js';
import { HeardQueue } from './heard-queue.js';
import type { NewUtterance, PlaybackInput } from './input.js';
import { step } from './machine.js';
import { KeptSpeech, rejectNotKept } from './kept-speech.js';
import { PlaybackPosition } from './playback-position.js';
import type { PageAudio } from './page-audio.js';
import type { PlaybackEvent, PlaybackHost, PlaybackNode, PlaybackRules } from './ports.js';
import { SpeechInput } from './speech-input.js';
import { SpeechPath } from './speech-path.js';
import {
  INITIAL_STATE,
  isPaused,
  type PlaybackState,
  publishedState,
  type QueuedUtterance,
  type SpeakerState,
} from './state.js';
import { Statistics, type SpeakerStats } from './stats.js';
import { SingleTimeRange } from './time-ranges.js';
import { keptWhole, placed, seekableRange } from './timeline.js';
import type { Effect, MachineEvent } from './effect.js';
import { type SpokenWord, UNPLACED, type Utterance, UtteranceRecord, type Words } from './utterance.js';
import type { SpokenWords, WordEvents } from './words.js';
import { Deferred } from '../base/deferred.js';

/** Words of an utterance to which the page gives none. */
const NO_WORDS: Words = { parts: [], isOpen: false };

/** Interval of `timeupdate` events. HTML asks for 15 to 250 ms. */
const TIMEUPDATE_MS = 250;

/**
 * The media semantics of a speaker.
 *
 * The shell around the state machine (`step`): turns calls by the page and reports from the other threads into inputs,
 * and runs the effects. The state changes synchronously; its events follow in microtasks, in order.
 *
 * Uses neither the DOM nor Web Audio. Main thread.
 */
export class Playback {
  readonly #host: PlaybackHost;
  /** Loaded with the first utterance. */
  #broker: SessionBroker | undefined;
  #brokerLoading: Promise<SessionBroker> | undefined;
  #rules: PlaybackRules | undefined;
  /** Loaded with the first sound, or with a session whose service reports times. */
  #words: SpokenWords | undefined;
  /** True if the service of the current connection reports when words are spoken. */
  #reportsTimes = false;
  readonly #heard: HeardQueue;
  /** Records of the utterances that are queued or may be kept, by id. */
  readonly #records = new Map<number, UtteranceRecord>();
  readonly #kept = new KeptSpeech();
  #position = new PlaybackPosition();
  #state: PlaybackState = INITIAL_STATE;
  #path: SpeechPath;
  #stats = new Statistics();
  /** Promises of `play()` that wait for sound. */
  #plays: Deferred[] = [];
  #cancelTimer = (): void => {};
  /** Number of times that pending events were discarded. */
  #epoch = 0;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#heard = new HeardQueue(host.clock);
    this.#path = this.#newPath();
  }

  // --- state

  get state(): SpeakerState {
    return publishedState(this.#state);
  }

  get paused(): boolean {
    return isPaused(this.#state);
  }

  get ended(): boolean {
    return this.#state.mode === 'ended';
  }

  get readyState(): number {
    return this.#state.readyState;
  }

  get networkState(): number {
    return this.#state.networkState;
  }

  get error(): SpeakerError | null {
    return this.#state.error;
  }

  /** Position in seconds, as heard; during a seek, its target. */
  get currentTime(): number {
    return this.#position.read(this.#state);
  }

  /** The word that is heard; null between words. */
  get currentWord(): SpokenWord | null {
    return this.#words?.current ?? null;
  }

  get duration(): number {
    return this.#state.timeline.duration;
  }

  get buffered(): SingleTimeRange {
    const { currentTime, duration } = this;
    const end = this.hasSpeech ? currentTime + this.#stats.waiting : currentTime;
    return new SingleTimeRange(Number.isNaN(duration) ? end : Math.min(end, duration));
  }

  get played(): SingleTimeRange {
    return new SingleTimeRange(this.#position.readPlayed(this.#state));
  }

  /** Range of the speech that is kept, from the oldest sample to the newest. Up to 100 ms out of date. */
  get seekable(): SingleTimeRange {
    const range = seekableRange(this.#state);
    return new SingleTimeRange(range?.end ?? 0, range?.start);
  }

  /** True during a seek. */
  get seeking(): boolean {
    return this.#state.seeking > 0;
  }

  /** True if an utterance is being spoken or is queued. */
  get hasSpeech(): boolean {
    return this.#state.utterances.length > 0;
  }

  /** True if `play()` would play kept speech, without a session. */
  get replays(): boolean {
    const { mode, isSourceNew } = this.#state;
    return mode === 'ended' && !isSourceNew && !this.hasSpeech && this.seekable.length > 0;
  }

  /** The current or next utterance, and its length in seconds; null until all of it was received. */
  get head(): { readonly utterance: Utterance; readonly seconds: number | null } | undefined {
    const [head] = this.#state.utterances;
    return head && { utterance: this.#records.get(head.id)!.utterance, seconds: head.seconds };
  }

  /** This speaker's part of the audio graph, if there is one yet. */
  get node(): PlaybackNode | undefined {
    return this.#path.node;
  }

  stats(): SpeakerStats {
    return this.#stats.read();
  }

  // --- calls by the page

  /** Implements HTML's `play()`: resolves when sound is playing. */
  play(): Promise<void> {
    const { text, audioUrl, hasSource } = this.#host;
    if (!this.hasSpeech && !hasSource && audioUrl === null && !this.replays) return Promise.reject(noSource());
    const play = new Deferred();
    // A page that ignores the promise still gets the `blocked` and `error` events.
    play.promise.catch(() => {});
    if (this.state === 'playing') play.resolve();
    else this.#plays.push(play);
    const words = audioUrl !== null ? 'audio' : text !== null ? 'own' : 'session';
    const utterance: NewUtterance = { words, hasText: words === 'own' };
    const input: PlaybackInput = { type: 'play', utterance };
    if (words === 'own') this.#speak(input, text!);
    else this.#step(input, NO_WORDS, audioUrl === null ? undefined : { source: audioUrl });
    return play.promise;
  }

  /** Implements HTML's `pause()`. */
  pause(): void {
    this.#step({ type: 'pause' });
  }

  /**
   * Speaks `text` after the queued utterances.
   *
   * @throws {DOMException} InvalidStateError if the page has named no source of sessions.
   */
  speak(text: string | TextStream, contextId?: string, spokenAs?: SpokenAs): Utterance {
    if (!this.#host.hasSource) throw noSource();
    const hasText = typeof text === 'string';
    this.#speak({ type: 'speak', utterance: { contextId, words: 'own', hasText } }, text, spokenAs);
    return this.#records.get(this.#state.lastId)!.utterance;
  }

  /** Begins an utterance with a text. Without an effect on the text if the input begins none. */
  #speak(input: PlaybackInput, text: string | TextStream, spokenAs = this.#host.spokenAs): void {
    const known = this.#state.lastId;
    const isWhole = typeof text === 'string';
    if (isWhole && isSpokenAsWritten(text, spokenAs)) return this.#step(input, wordsOf(text));
    // Until it is read, a text is there, but nothing is spoken for it.
    this.#step(input, { parts: isWhole ? [[{ original: text, spoken: '' }]] : [], isOpen: true });
    const { lastId } = this.#state;
    if (lastId > known) void this.#readText(lastId, text, spokenAs);
  }

  /**
   * Plays audio provided by the page after the queued utterances.
   *
   * @param text - The spoken words, for captions.
   */
  speakAudio(audio: PageAudio, text: string): Utterance {
    this.#step({ type: 'speak', utterance: { words: 'audio', hasText: false } }, wordsOf(text), audio);
    return this.#records.get(this.#state.lastId)!.utterance;
  }

  /**
   * Plays audio that the page pushes, after the queued utterances.
   *
   * @param sampleRate - In Hz.
   * @param ports - Both ends of a channel.
   */
  openInput(sampleRate: number, text: string, { port1, port2 }: Record<'port1' | 'port2', MessagePort>): SpeechInput {
    const words: Words = { parts: text ? wordsOf(text).parts : [], isOpen: true };
    this.#step({ type: 'speak', utterance: { words: 'audio', hasText: false } }, words, { source: port2, sampleRate });
    this.#needWords();
    const record = this.#records.get(this.#state.lastId)!;
    return new SpeechInput(record.utterance, sampleRate, port1, {
      addText: (more) => {
        record.parts!.push(...wordsOf(more).parts!);
        this.#words?.update();
      },
      addWords: (more) => {
        record.waitingWords = [...record.waitingWords, ...more];
        this.#words?.update();
      },
      end: () => {
        record.isOpen = false;
        this.#words?.update();
      },
    });
  }

  /** Seeks to `seconds` or the nearest kept position, as in HTML. Does nothing without a history. */
  seek(seconds: number): void {
    this.#step({ type: 'seek', seconds });
  }

  /** @param seconds - Length of received speech to keep. */
  setHistory(seconds: number): void {
    this.#path.setHistory(seconds);
    // Before the worker's report: `play()` may follow at once.
    if (seconds > 0) return;
    this.#step({
      type: 'progress',
      nowMs: this.#host.clock.now(),
      oldest: null,
      newest: this.#state.newest,
      quiet: [],
    });
  }

  /** Forgets the speech that has been heard. */
  clearHistory(): void {
    this.#step({ type: 'clear-history' });
  }

  /** Reports that the text or the source of `play()` has changed. */
  sourceChanged(): void {
    this.#step({ type: 'source-changed' });
  }

  #replay(id: number): Promise<void> {
    if (!keptWhole(this.#state, id)) return rejectNotKept();
    const play = new Deferred();
    play.promise.catch(() => {}); // As in `play`.
    this.#plays.push(play);
    this.#step({ type: 'replay', id });
    return play.promise;
  }

  /** Returns the kept samples of one utterance, or all kept samples, as a WAV file. */
  toBlob(id?: number): Promise<Blob> {
    const { past, utterances } = this.#state;
    const found = [...past, ...utterances].find((utterance) => utterance.id === id);
    const { channel } = this.#path;
    if (!channel || (id !== undefined && !found?.firstAudioMs)) return rejectNotKept();
    return this.#kept.read(channel, found?.serial ?? null);
  }

  /** Silences everything that is spoken or queued. */
  cancel(): void {
    this.#cancel(null, 'The speech was cancelled.');
  }

  #cancel(ids: readonly number[] | null, message: string): void {
    this.#step({ type: 'cancel', ids, message });
    if (!this.hasSpeech) this.#host.silenced();
  }

  /** Drops everything, because a source has been set. */
  load(): void {
    this.close();
    this.#step({ type: 'load' });
  }

  /** Drops everything, closes the socket, and goes back to the empty state. Idempotent. */
  close(): void {
    this.#broker?.release();
    this.#heard.clear();
    this.#words?.reset();
    this.#path.close();
    this.#step({ type: 'close' });
    this.#path = this.#newPath();
    this.#stats = new Statistics();
    this.#position = new PlaybackPosition();
    this.#kept.close();
    this.#host.silenced();
  }

  keepOpenChanged(): void {
    this.#path.keepOpenChanged();
  }

  /** Returns a MediaStream of the sound that is played. */
  capture(): unknown {
    return this.#path.capture();
  }

  /**
   * Opens the output that the page wants now, or moves to it.
   *
   * @throws {SpeakerError} If the output cannot be opened.
   */
  moveOutput(): Promise<void> {
    if (this.#path.output) this.#step({ type: 'output-moving' });
    return this.#path.moveOutput();
  }

  /** Moves to the output that the page wants now. If none is open, the next utterance opens it. */
  outputChanged(): void {
    const path = this.#path;
    if (!path.output) return;
    this.moveOutput().catch((error: SpeakerError) => {
      if (!path.isClosed) this.#step({ type: 'output-failed', error });
    });
  }

  /** Reads a text until its utterance is over. */
  async #readText(id: number, text: string | TextStream, spokenAs: SpokenAs): Promise<void> {
    const record = this.#records.get(id)!;
    const stop = new AbortController();
    if (typeof text !== 'string') {
      record.stopReading = () => {
        stop.abort();
        record.isOpen = false;
      };
    }
    void record.utterance.finished.catch(() => {}).then(() => stop.abort());
    const send = (spoken: string | null): void => {
      const { serial = 0 } = this.#state.utterances.find((one) => one.id === id) ?? {};
      if (serial > 0) this.#path.channel?.post({ type: 'text', serial, text: spoken });
    };
    const add = (part: readonly Run[]): void => {
      const parts = record.parts!;
      const spoken = spokenOf(part);
      if (typeof text === 'string') parts.pop();
      if (spoken === '' && parts.length > 0) parts.push([...parts.pop()!, ...part]);
      else parts.push(part);
      if (spoken === '') return;
      this.#step({ type: 'first-text', id });
      send(spoken);
    };
    try {
      await this.#host.readText(text, spokenAs, add, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#step({ type: 'text-failed', id, error: error as SpeakerError });
    }
    if (stop.signal.aborted) return;
    record.isOpen = false;
    send(null);
  }

  // --- the machine

  get #heardFacts(): HeardFacts {
    return { state: this.#state, clock: this.#position.clock, records: this.#records };
  }

  /**
   * @param words - Text of the utterance that the input begins.
   * @param audio - Audio of that utterance, if it is an audio stream.
   */
  #step(input: PlaybackInput, words: Words = NO_WORDS, audio?: PageAudio): void {
    this.#words?.flush();
    const before = this.#state;
    const position = this.#position.count(before);
    const { state, effects } = step(before, input, position, this.#rules ?? null);
    this.#silence(effects, input.type === 'heard');
    this.#state = state;
    for (const one of state.utterances) {
      if (!this.#records.has(one.id)) this.#records.set(one.id, this.#makeRecord(one, words, audio));
    }
    this.#place(state);
    if (before.mode !== state.mode) this.#modeChanged(before, state);
    for (const effect of effects) if (effect.do !== 'cancel') this.#run(effect);
    this.#forgetRecords();
    this.#words?.update();
  }

  /**
   * Notes how much was heard of the utterances that are over, then cancels utterances on the other threads. Both come
   * before anything else: speech that plays in between would not be counted.
   */
  #silence(effects: readonly Effect[], isWhole: boolean): void {
    for (const effect of effects) {
      const record = effect.do === 'settle' && this.#records.get(effect.id);
      if (record) this.#rules?.heardRules.settle(this.#heardFacts, record, isWhole);
    }
    for (const effect of effects) if (effect.do === 'cancel') this.#path.cancel(effect.serials, effect.kept);
  }

  #makeRecord(
    { id, contextId, words: origin }: QueuedUtterance,
    words: Words,
    audio: PageAudio | undefined,
  ): UtteranceRecord {
    const parts = origin === 'session' ? null : [...words.parts!];
    const record: UtteranceRecord = new UtteranceRecord(
      contextId,
      { ...words, parts },
      {
        heard: () => this.#rules?.heardRules.read(this.#heardFacts, record) ?? { seconds: 0, text: '' },
        words: () => this.#words?.of(record) ?? [],
        cancel: () => this.#cancel([id], 'The utterance was cancelled.'),
        replay: () => this.#replay(id),
        toBlob: () => this.toBlob(id),
        toVTT: async (by) => (await this.#loadWords()).toVtt(record, by),
      },
    );
    if (audio) {
      record.audio = this.#host.prepareAudio(audio, record.utterance.finished);
      record.audio.catch(() => {}); // Awaited when it is needed.
    }
    return record;
  }

  /** Stores where the utterances lie on the timeline. */
  #place(state: PlaybackState): void {
    for (const { utterance, start } of placed(state)) {
      const record = this.#records.get(utterance.id);
      if (record) record.span = { start, end: utterance.seconds === null ? Number.NaN : start + utterance.seconds };
    }
  }

  /** Forgets the utterances that are over and no longer kept. */
  #forgetRecords(): void {
    const { past, utterances } = this.#state;
    if (this.#records.size <= past.length + utterances.length) return;
    const ids = new Set([...past, ...utterances].map(({ id }) => id));
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
  }

  #modeChanged(before: PlaybackState, state: PlaybackState): void {
    const isHeld = ({ mode }: PlaybackState): boolean => mode === 'paused' || mode === 'blocked';
    if (isPaused(before) !== isPaused(state)) this.#path.setBusy(!isPaused(state));
    if (isHeld(before) !== isHeld(state)) this.#path.setPaused(isHeld(state));
    if (before.mode === 'playing') this.#cancelTimer();
    if (state.mode === 'playing') this.#scheduleTimeupdate();
  }

  #scheduleTimeupdate(): void {
    this.#cancelTimer = this.#host.clock.after(TIMEUPDATE_MS, () => {
      this.#step({ type: 'timeupdate' });
      this.#scheduleTimeupdate();
    });
  }

  #run(effect: Exclude<Effect, { do: 'cancel' }>): void {
    switch (effect.do) {
      case 'dispatch':
        return this.#dispatch(effect.event);
      case 'discard-events':
        this.#epoch++;
        return;
      case 'settle-plays':
        for (const play of this.#plays.splice(0)) {
          if ('error' in effect) play.reject(effect.error);
          else play.resolve();
        }
        return;
      case 'start': {
        const { id, firstAudioMs } = effect.utterance;
        if (firstAudioMs > 0) this.#stats.noteSound(this.#host.clock.now() - firstAudioMs);
        this.#records.get(id)?.started.resolve();
        return this.#needWords();
      }
      case 'settle':
        this.#records.get(effect.id)?.settle(effect.error);
        return;
      case 'end':
        this.#records.get(effect.id)?.stopReading?.();
        this.#path.channel?.post({ type: 'end', serial: effect.serial });
        return;
      case 'open':
        void this.#open(effect.reason);
        return;
      case 'await-gesture':
        return this.#awaitGesture();
      case 'enqueue':
        for (const { id, serial, contextId } of effect.utterances) {
          const { parts, isOpen, audio } = this.#records.get(id)!;
          const texts = parts && parts.map(spokenOf).filter(Boolean);
          const words = audio ? { texts: [], isAudio: true, more: false } : { texts, more: isOpen };
          this.#path.channel?.post({ type: 'enqueue', serial, contextId, ...words });
        }
        return;
      case 'seek': {
        const { number, seconds, serial, sample, only } = effect;
        for (const record of this.#records.values()) record.begin = Number.NaN;
        this.#words?.moved();
        this.#path.seek(number, serial, sample, only);
        return this.#position.seek(seconds);
      }
      case 'forget':
        for (const [id, record] of this.#records) {
          record.begin -= effect.seconds;
          if (this.#state.utterances.every((one) => one.id !== id)) record.span = UNPLACED;
        }
        this.#path.channel?.post({ type: 'forget', serial: effect.serial });
        return this.#position.shift(effect.seconds);
      case 'request-session':
        return this.#broker!.need(effect.serial, effect.reason);
      case 'hold-session':
        return this.#broker!.hold(effect.session);
      case 'connect': {
        const session = this.#broker!.spend();
        const { serial } = effect;
        const { canRenew } = this.#broker!;
        this.#reportsTimes = session?.timings ?? false;
        if (this.#reportsTimes) this.#needWords();
        const { lead } = this.#host;
        if (session) this.#path.channel?.post({ type: 'connect', serial, session, canRenew, lead });
        return;
      }
      case 'open-stream':
        void this.#openStream(effect.serial, effect.id);
        return;
      case 'play-stream':
        this.#path.channel?.post({ type: 'play-stream', serial: effect.serial });
        return;
      case 'release-session':
        if (effect.onlyUnneeded) this.#broker?.releaseUnneeded();
        else this.#broker?.release();
        return;
      case 'open-node':
        void this.#openNode(effect.sampleRate);
        return;
      case 'close-node':
        this.#path.closeNode();
        return this.#followNode();
      case 'forget-unheard':
        return this.#heard.clear();
      case 'restart-clock':
        return this.#position.restart();
    }
  }

  #dispatch(event: MachineEvent | Extract<PlaybackEvent, { type: WordEvents['type'] | 'resume' }>): void {
    const epoch = this.#epoch;
    const pageEvent = 'id' in event ? { type: event.type, utterance: this.#records.get(event.id)!.utterance } : event;
    queueMicrotask(() => {
      if (epoch === this.#epoch) this.#host.dispatch(pageEvent);
    });
  }

  /** @param reason - Reason for the session that will be needed; null if none will be. */
  async #open(reason: SessionReason | null): Promise<void> {
    const path = this.#path;
    const isFirst = !path.channel;
    let input: PlaybackInput;
    try {
      // Before any await (quirk `safari-gesture-turn`): Safari allows sound only during the user's gesture.
      const opening = path.open();
      opening.catch(() => {}); // Awaited below.
      path.setBusy(!this.paused); // `open` has made the output if there was none.
      [this.#broker, this.#rules] = await Promise.all([this.#loadBroker(), this.#host.loadRules()]);
      // The worker will report that it needs a connection, but only once it is open.
      if (reason && isFirst && !path.isClosed && this.hasSpeech) this.#broker.prepare(reason);
      input = { type: 'opened', isAllowed: await opening };
    } catch (error) {
      input = { type: 'output-failed', error: SpeakerError.from(error, 'output-failed') };
    }
    if (path.isClosed) return;
    this.#stats.follow(path.node, path.output);
    this.#step(input);
  }

  #loadBroker(): Promise<SessionBroker> {
    const host = this.#host;
    this.#brokerLoading ??= host.createBroker({
      sessionHeld: (serial, session, reason) => {
        const key = `${host.transport} ${session.sampleRate}`;
        this.#step({ type: 'session', serial, session, key, reason });
      },
      sessionFailed: (serial, error) => this.#step({ type: 'session-failed', serial, error }),
    });
    this.#brokerLoading.catch(() => (this.#brokerLoading = undefined));
    return this.#brokerLoading;
  }

  async #openNode(sampleRate: number): Promise<void> {
    const path = this.#path;
    let input: PlaybackInput = { type: 'node-opened' };
    try {
      await path.openNode(sampleRate);
      if (!path.isClosed) this.#followNode();
    } catch (error) {
      input = { type: 'output-failed', error: SpeakerError.from(error, 'output-failed') };
    }
    if (!path.isClosed) this.#step(input);
  }

  #followNode(): void {
    const { node, output } = this.#path;
    this.#position.clock.follow(node, output, this.#position.count(this.#state).counted);
    this.#stats.follow(node, output);
  }

  /** Hands an audio stream to the worker, if it is still wanted. */
  async #openStream(serial: number, id: number): Promise<void> {
    const path = this.#path;
    try {
      const { input, transfer } = await this.#records.get(id)!.audio!;
      const isWanted = this.#state.utterances.some((one) => one.serial === serial);
      if (isWanted) path.channel?.post({ type: 'open-stream', serial, input }, transfer);
    } catch (error) {
      this.#step({ type: 'failed', serials: [serial], error: SpeakerError.from(error, 'socket-failed') });
    }
  }

  /** Loads the words. Without them, speech is heard all the same. */
  #needWords(): void {
    this.#loadWords().catch(() => {});
  }

  async #loadWords(): Promise<SpokenWords> {
    if (this.#words) return this.#words;
    const words = await this.#host.makeWords(() => ({
      ...this.#heardFacts,
      position: this.currentTime,
      host: this.#host,
      dispatch: (event) => this.#dispatch(event),
    }));
    this.#words ??= words;
    this.#words.update();
    return this.#words;
  }

  #noteTimes(serial: number, isReported: boolean): UtteranceRecord | undefined {
    const record = this.#recordOf(serial);
    if (record) record.timed.isReported ||= isReported;
    return record;
  }

  #resumed(serial: number, from: number): void {
    const record = this.#recordOf(serial);
    if (!record) return;
    this.#stats.resumptions++;
    const { utterance } = record;
    this.#dispatch({ type: 'resume', utterance, from: this.#rules!.heardRules.originalFrom(record, from) });
  }

  #noteSilence(durationMs: number): void {
    this.#stats.resumptionSilenceMs += this.#rules?.heardRules.seamMs(this.#heardFacts, durationMs) ?? 0;
  }

  #recordOf(serial: number): UtteranceRecord | undefined {
    const utterance = this.#state.utterances.find((one) => one.serial === serial);
    return this.#records.get(utterance?.id ?? 0);
  }

  async #failStream(serial: number, cause: StreamFailure): Promise<void> {
    const audio = await this.#recordOf(serial)?.audio;
    if (audio) this.#step({ type: 'failed', serials: [serial], error: audio.describeFailure(cause) });
  }

  #awaitGesture(): void {
    const path = this.#path;
    path.output?.onUnlock(() => {
      if (!path.isClosed && this.#host.resumesOnGesture) this.#step({ type: 'gesture' });
    });
  }

  // --- reports from the other threads

  #newPath(): SpeechPath {
    const path: SpeechPath = new SpeechPath(this.#host, {
      reported: (report) => this.#reported(report, path),
      played: (event, delayMs) => {
        this.#position.clock.note(event);
        this.#heard.push(delayMs, () => {
          this.#position.clock.heard(event);
          if (event.event === 'start') this.#rules?.heardRules.begin(this.#heardFacts, event);
          if (event.event === 'underrun') this.#noteSilence(event.durationMs);
          this.#step({ type: 'heard', event });
        });
      },
      outputLost: () => this.outputChanged(),
      outputStill: (isStill) => this.#step({ type: 'output-still', isStill }),
      outputBlocked: () => this.#step({ type: 'output-blocked' }),
      outputFailed: (error) => this.#step({ type: 'output-failed', error }),
      pageLeft: () => this.close(),
    });
    return path;
  }

  /** Removes the pieces that were read from a stream and not sent from the texts of utterances. */
  #dropUnsent(serials: readonly number[], sent: readonly number[] = []): void {
    for (const { id, serial } of this.#state.utterances) {
      const record = this.#records.get(id)!;
      const count = sent[serials.indexOf(serial)];
      if (record.stopReading && count !== undefined) record.parts!.splice(count);
    }
  }

  #reported(report: SpeakerReport, path: SpeechPath): void {
    switch (report.type) {
      case 'counters':
        this.#stats.count(report.counters);
        return this.#step({ type: 'progress', nowMs: this.#host.clock.now(), ...report.counters });
      case 'samples':
        return this.#kept.take(report.request, report);
      case 'stream-open':
        return this.#step({ ...report, key: `${this.#host.transport} ${report.sampleRate}` });
      case 'connection-needed':
      case 'connection-busy':
        // If no other session can be requested, wait for the end of the cancelled speech.
        if (report.type === 'connection-busy' && !this.#broker!.canRenew) return;
        return this.#step({ type: 'connection-needed', serial: report.serial });
      case 'connection-lost': {
        const first = report.serials[0]!;
        // Retry with a fresh session, or report the error to the page.
        const { firstAudioMs = 0 } = this.#state.utterances.find(({ serial }) => serial === first) ?? {};
        if (this.#broker!.retry(first, firstAudioMs > 0 ? 'resume' : 'retry')) return;
        return this.#step({ ...report, type: 'failed' });
      }
      case 'failed':
        this.#dropUnsent(report.serials, report.sent);
        return this.#step(report);
      case 'stream-failed':
        return void this.#failStream(report.serial, report.cause);
      case 'socket-close':
        // A socket of an earlier path has no influence on the network state of the current one.
        if (path.isClosed) return this.#dispatch({ ...report, type: 'socketclose' });
        return this.#step(report);
      case 'first-audio':
        this.#noteTimes(report.serial, this.#reportsTimes);
        return this.#step(report);
      case 'timings': {
        const { serial, index, words, phones } = report;
        const { timed } = this.#noteTimes(serial, true) ?? {};
        if (!timed) return;
        timed.words = timed.words.slice(0, index).concat(words);
        timed.phones = timed.phones.concat(phones);
        return this.#words?.update();
      }
      case 'resuming': {
        const record = this.#recordOf(report.serial);
        if (record) this.#rules!.heardRules.cutOff(record, report.words, report.samples / this.#state.sampleRate);
        return this.#words?.update();
      }
      case 'resumed':
        return this.#resumed(report.serial, report.from);
      case 'closed':
        return;
      default:
        return this.#step(report);
    }
  }
}

function noSource(): Error {
  return new DOMException(
    'There is no source of speech. Set src, session, sessionProvider or session-endpoint first.',
    'InvalidStateError',
  );
}

/** Returns the words of a text that is spoken as it is written. */
function wordsOf(text: string): Words {
  return { parts: [[{ original: text, spoken: text }]], isOpen: false };
}
