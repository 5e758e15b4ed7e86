import type { SpeakerError } from '../base/speaker-error.js';
import { Deferred } from '../base/deferred.js';
import type { SpokenAs } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';
import { heardPart } from './heard-part.js';
import type { NewUtterance } from './input.js';
import { rejectNotKept } from './kept-speech.js';
import type { PageAudio } from './opening.js';
import { PlaybackLoop } from './playback-loop.js';
import type { PlaybackHost, PlaybackNode } from './ports.js';
import { SpeechInput } from './speech-input.js';
import { hasAudio, isPaused, publishedState, type SpeakerState } from './state.js';
import type { SpeakerStats } from './stats.js';
import { SingleTimeRange } from './time-ranges.js';
import { keptWhole, seekableRange } from './timeline.js';
import type { CueOptions, SpokenWord, Utterance, UtteranceRecord } from './utterance.js';
import { asWritten } from './utterance-book.js';

/** Utterances of audio that the page provides. */
const AUDIO = { words: 'audio', hasText: false } as const;

/**
 * The media semantics of a speaker, as the page uses them. Calls become inputs of the loop, and what the page reads is
 * derived from its state.
 *
 * Uses neither the DOM nor Web Audio. Main thread.
 */
export class Playback {
  readonly #host: PlaybackHost;
  readonly #loop: PlaybackLoop;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#loop = new PlaybackLoop(host, {
      heard: (record) => heardPart(this.#loop.heardFacts, record, this.#loop.estimate),
      words: (record) => this.#loop.words?.of(record) ?? [],
      cancel: ({ id }) => this.#cancel([id], 'The utterance was cancelled.'),
      replay: ({ id }) => this.#replay(id),
      toBlob: ({ id }) => this.#blobOf(id),
      toVTT: (record, options) => this.#captionsOf(record, options),
    });
  }

  // --- state

  get state(): SpeakerState {
    return publishedState(this.#loop.state);
  }

  get paused(): boolean {
    return isPaused(this.#loop.state);
  }

  get ended(): boolean {
    return this.#loop.state.mode === 'ended';
  }

  get readyState(): number {
    return this.#loop.state.readyState;
  }

  get networkState(): number {
    return this.#loop.state.networkState;
  }

  get error(): SpeakerError | null {
    return this.#loop.state.error;
  }

  /** Position in seconds, as heard; during a seek, its target. */
  get currentTime(): number {
    return this.#loop.currentTime;
  }

  /** The word that is heard; null between words. */
  get currentWord(): SpokenWord | null {
    return this.#loop.words?.current ?? null;
  }

  get duration(): number {
    return this.#loop.state.timeline.duration;
  }

  get buffered(): SingleTimeRange {
    const { currentTime, duration } = this;
    const end = this.hasSpeech ? currentTime + this.#loop.stats.waiting : currentTime;
    return new SingleTimeRange(Number.isNaN(duration) ? end : Math.min(end, duration));
  }

  get played(): SingleTimeRange {
    return new SingleTimeRange(this.#loop.played);
  }

  /** Range of the speech that is kept, from the oldest sample to the newest. Up to 100 ms out of date. */
  get seekable(): SingleTimeRange {
    const range = seekableRange(this.#loop.state);
    return new SingleTimeRange(range?.end ?? 0, range?.start);
  }

  /** True during a seek. */
  get seeking(): boolean {
    return this.#loop.state.seeking > 0;
  }

  /** True if an utterance is being spoken or is queued. */
  get hasSpeech(): boolean {
    return this.#loop.state.utterances.length > 0;
  }

  /** True if `play()` would play kept speech, without a session. */
  get replays(): boolean {
    const { mode, isSourceNew } = this.#loop.state;
    return mode === 'ended' && !isSourceNew && !this.hasSpeech && this.seekable.length > 0;
  }

  /** The current or next utterance, and its length in seconds; null until all of it was received. */
  get head(): { readonly utterance: Utterance; readonly seconds: number | null } | undefined {
    const [head] = this.#loop.state.utterances;
    return head && { utterance: this.#loop.book.get(head.id).utterance, seconds: head.seconds };
  }

  /** This speaker's part of the audio graph, if there is one yet. */
  get node(): PlaybackNode | undefined {
    return this.#loop.path.node;
  }

  getStats(): SpeakerStats {
    return this.#loop.stats.read();
  }

  // --- calls by the page

  /** Implements HTML's `play()`: resolves when sound is playing. */
  play(): Promise<void> {
    const { audioUrl, hasSource } = this.#host;
    if (!this.hasSpeech && !hasSource && audioUrl === null && !this.replays) return Promise.reject(noSource());
    const play = new Deferred();
    // A page that ignores the promise still gets the `blocked` and `error` events.
    play.promise.catch(() => {});
    if (this.state === 'playing') play.resolve();
    else this.#loop.plays.push(play);
    this.#loop.step({ type: 'play', utterance: this.#utteranceOfPlay() });
    return play.promise;
  }

  /** The utterance that `play()` adds if nothing is queued. */
  #utteranceOfPlay(): NewUtterance {
    const { text, audioUrl, spokenAs } = this.#host;
    if (audioUrl !== null) return { ...AUDIO, opening: { text: '', audio: { source: audioUrl } } };
    if (text !== null) return { words: 'own', hasText: true, opening: { text, spokenAs } };
    return { words: 'session', hasText: false };
  }

  /** Implements HTML's `pause()`. */
  pause(): void {
    this.#loop.step({ type: 'pause' });
  }

  /**
   * Speaks `text` after the queued utterances.
   *
   * @param pauseAfter - Seconds of silence after it.
   * @throws {DOMException} InvalidStateError if the page has named no source of sessions.
   */
  speak(
    text: string | TextStream,
    contextId?: string,
    spokenAs: SpokenAs = this.#host.spokenAs,
    pauseAfter: number = 0,
  ): Utterance {
    if (!this.#host.hasSource) throw noSource();
    const hasText = typeof text === 'string';
    return this.#add({ contextId, words: 'own', hasText, opening: { text, spokenAs, pauseAfter } });
  }

  /**
   * Plays audio provided by the page after the queued utterances.
   *
   * @param text - The spoken words, for captions.
   */
  speakAudio(audio: PageAudio, text: string): Utterance {
    return this.#add({ ...AUDIO, opening: { text, audio } });
  }

  /**
   * Plays audio that the page pushes, after the queued utterances.
   *
   * @param sampleRate - In Hz.
   * @param ports - Both ends of a channel.
   */
  openInput(sampleRate: number, text: string, { port1, port2 }: Record<'port1' | 'port2', MessagePort>): SpeechInput {
    const loop = this.#loop;
    const utterance = this.#add({ ...AUDIO, opening: { text, audio: { source: port2, sampleRate }, isOpen: true } });
    const record = loop.book.get(loop.state.lastId);
    loop.needWords();
    return new SpeechInput(utterance, sampleRate, port1, {
      addText: (more) => {
        record.parts!.push(...asWritten(more));
        loop.words?.update();
      },
      addWords: (more) => {
        record.waitingWords = [...record.waitingWords, ...more];
        loop.words?.update();
      },
      end: () => {
        record.isOpen = false;
        loop.words?.update();
      },
    });
  }

  #add(utterance: NewUtterance): Utterance {
    const loop = this.#loop;
    loop.step({ type: 'speak', utterance });
    return loop.book.get(loop.state.lastId).utterance;
  }

  /** Seeks to `seconds` or the nearest kept position, as in HTML. Does nothing without a history. */
  seek(seconds: number): void {
    this.#loop.step({ type: 'seek', seconds });
  }

  /** @param seconds - Length of received speech to keep. */
  setHistory(seconds: number): void {
    const { path, state } = this.#loop;
    path.setHistory(seconds);
    // Before the worker's report: `play()` may follow at once.
    if (seconds > 0) return;
    const nowMs = this.#host.clock.now();
    this.#loop.step({ type: 'progress', nowMs, oldest: null, newest: state.newest, quiet: [] });
  }

  /** Forgets the speech that has been heard. */
  clearHistory(): void {
    this.#loop.step({ type: 'clear-history' });
  }

  /** Reports that the text or the source of `play()` has changed. */
  sourceChanged(): void {
    this.#loop.step({ type: 'source-changed' });
  }

  #replay(id: number): Promise<void> {
    if (!keptWhole(this.#loop.state, id)) return rejectNotKept();
    const play = new Deferred();
    play.promise.catch(() => {}); // As in `play`.
    this.#loop.plays.push(play);
    this.#loop.step({ type: 'replay', id });
    return play.promise;
  }

  /** Returns all kept samples as a WAV file. */
  toBlob(): Promise<Blob> {
    return this.#blobOf(null);
  }

  /** Returns the captions of everything that is kept, as WebVTT. */
  toVTT(options?: CueOptions): Promise<string> {
    return this.#captionsOf(null, options);
  }

  /** @param id - One utterance; null for all. */
  #blobOf(id: number | null): Promise<Blob> {
    const { state, path, kept } = this.#loop;
    const found = [...state.past, ...state.utterances].find((utterance) => utterance.id === id);
    if (!path.channel || (id !== null && !(found && hasAudio(found)))) return rejectNotKept();
    return kept.read(path.channel, found?.serial ?? null);
  }

  async #captionsOf(record: UtteranceRecord | null, options: CueOptions | undefined): Promise<string> {
    return (await this.#loop.loadWords()).toVtt(record, options);
  }

  /** Silences everything that is spoken or queued. */
  cancel(): void {
    this.#cancel(null, 'The speech was cancelled.');
  }

  #cancel(ids: readonly number[] | null, message: string): void {
    this.#loop.step({ type: 'cancel', ids, message });
    if (!this.hasSpeech) this.#host.silenced();
  }

  /** Drops everything, because a source has been set. */
  load(): void {
    this.close();
    this.#loop.step({ type: 'load' });
  }

  /** Drops everything, closes the socket, and goes back to the empty state. Idempotent. */
  close(): void {
    this.#loop.close();
  }

  /** Makes the output and starts the worker, if the rest of the player is loaded. Requests nothing. */
  prepare(): void {
    const part = this.#host.load();
    if (!(part instanceof Promise)) this.#loop.path.prepare(part);
  }

  keepOpenChanged(): void {
    this.#loop.path.keepOpenChanged();
  }

  /** Returns a MediaStream of the sound that is played. */
  capture(): unknown {
    return this.#loop.path.capture();
  }

  /**
   * Opens the output that the page wants now, or moves to it.
   *
   * @throws {SpeakerError} If the output cannot be opened.
   */
  moveOutput(): Promise<void> {
    return this.#loop.moveOutput();
  }

  /** Moves to the output that the page wants now. If none is open, the next utterance opens it. */
  outputChanged(): void {
    this.#loop.outputChanged();
  }
}

function noSource(): Error {
  return new DOMException(
    'There is no source of speech. Set src, session, sessionProvider or session-endpoint first.',
    'InvalidStateError',
  );
}
