import { SpeakerError } from '../base/speaker-error.js';
import type { Deferred } from '../base/deferred.js';
import type { StreamFailure } from '../connection/audio-input.js';
import type { SpeakerReport } from '../connection/speaker-report.js';
import type { SessionBroker } from '../sessions/session-broker.js';
import type { SessionReason } from '../sessions/session-source.js';
import { spokenOf } from '../speakable/runs.js';
import { originalPosition } from '../speakable/spoken-text.js';
import type { Effect } from './effect.js';
import { type HeardFacts, noteBegin, noteEnd, seamMs } from './heard-part.js';
import { HeardQueue } from './heard-queue.js';
import type { PlaybackInput } from './input.js';
import { KeptSpeech } from './kept-speech.js';
import { step } from './machine.js';
import { PlaybackPosition } from './playback-position.js';
import type { LoadedPart, PlaybackEvent, PlaybackHost } from './ports.js';
import { SpeechPath } from './speech-path.js';
import { hasAudio, INITIAL_STATE, isPaused, type PlaybackState, type QueuedUtterance } from './state.js';
import { Statistics } from './stats.js';
import { seekableRange } from './timeline.js';
import type { UtteranceCalls, UtteranceRecord } from './utterance.js';
import { UtteranceBook } from './utterance-book.js';
import type { SpokenWords } from './words.js';

/** Interval of `timeupdate` events. HTML asks for 15 to 250 ms. */
const TIMEUPDATE_MS = 250;

/**
 * The loop around the state machine: counts the position, steps, stores the state and runs the effects. Calls of the page
 * and reports of the other threads are its inputs. The state changes synchronously; its events follow in microtasks, in
 * order. Main thread.
 */
export class PlaybackLoop {
  readonly book: UtteranceBook;
  readonly kept = new KeptSpeech();
  /** Promises of `play()` that wait for sound. */
  readonly plays: Deferred[] = [];
  /** Estimates how much of a text was heard. Loaded with the first utterance. */
  estimate: LoadedPart['heardCharacters'] | undefined;
  /** Loaded with the first sound, or with a session whose service reports times. */
  words: SpokenWords | undefined;
  readonly #host: PlaybackHost;
  readonly #heard: HeardQueue;
  /** Loaded with the first utterance. */
  #broker: SessionBroker | undefined;
  /** True if the service of the current connection reports when words are spoken. */
  #reportsTimes = false;
  #state: PlaybackState = INITIAL_STATE;
  #position = new PlaybackPosition();
  #path: SpeechPath;
  #stats = new Statistics();
  #cancelTimer = (): void => {};
  /** Number of times that pending events were discarded. */
  #epoch = 0;

  constructor(host: PlaybackHost, calls: UtteranceCalls) {
    this.#host = host;
    this.#heard = new HeardQueue(host.clock);
    this.#path = this.#newPath();
    this.book = new UtteranceBook({
      calls,
      prepareAudio: host.prepareAudio.bind(host),
      readText: host.readText.bind(host),
      step: (input) => this.step(input),
      send: (id, text) => {
        const { serial = 0 } = this.#state.utterances.find((one) => one.id === id) ?? {};
        if (serial > 0) this.#path.channel?.post({ type: 'text', serial, text });
      },
    });
  }

  get state(): PlaybackState {
    return this.#state;
  }

  get path(): SpeechPath {
    return this.#path;
  }

  get stats(): Statistics {
    return this.#stats;
  }

  /** Position in seconds, as heard; during a seek, its target. */
  get currentTime(): number {
    return this.#position.read(this.#state);
  }

  /** Highest position that was heard, in seconds. */
  get played(): number {
    return this.#position.readPlayed(this.#state);
  }

  get heardFacts(): HeardFacts {
    return { state: this.#state, clock: this.#position.clock, records: this.book.records };
  }

  step(input: PlaybackInput): void {
    this.words?.flush();
    const { state, effects } = step(this.#state, input, this.#position.count(this.#state));
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    this.book.follow(this.#state);
    this.words?.update();
  }

  /** Goes back to the empty state: closes the socket, and drops everything. */
  close(): void {
    this.#broker?.release();
    this.#heard.clear();
    this.words?.reset();
    this.#path.close();
    this.step({ type: 'close' });
    this.#path = this.#newPath();
    this.#stats = new Statistics();
    this.#position = new PlaybackPosition();
    this.kept.close();
    this.#host.silenced();
  }

  /** Moves to the output that the page wants now. If none is open, the next utterance opens it. */
  outputChanged(): void {
    const path = this.#path;
    if (!path.output) return;
    this.moveOutput().catch((error: SpeakerError) => {
      if (!path.isClosed) this.step({ type: 'output-failed', error });
    });
  }

  /**
   * Opens the output that the page wants now, or moves to it.
   *
   * @throws {SpeakerError} If the output cannot be opened.
   */
  moveOutput(): Promise<void> {
    return this.#path.moveOutput(() => this.step({ type: 'output-moving' }));
  }

  /** Loads the words. Without them, speech is heard all the same. */
  needWords(): void {
    this.loadWords().catch(() => {});
  }

  async loadWords(): Promise<SpokenWords> {
    if (this.words) return this.words;
    const words = await this.#host.makeWords(() => ({
      ...this.heardFacts,
      position: this.currentTime,
      host: this.#host,
      keptFrom: () => seekableRange(this.#state)?.start,
      dispatch: (event) => this.#dispatch(event),
    }));
    this.words ??= words;
    this.words.update();
    return this.words;
  }

  // --- effects

  #run(effect: Effect): void {
    switch (effect.do) {
      case 'note-heard':
        return noteEnd({ ...this.heardFacts, state: effect.before }, this.book.get(effect.id), effect.isWhole);
      case 'cancel':
        return this.#path.cancel(effect.serials, effect.kept);
      case 'set-busy':
        return this.#path.setBusy(effect.isBusy);
      case 'set-paused':
        return this.#path.setPaused(effect.isPaused);
      case 'time-updates':
        this.#cancelTimer();
        if (effect.isOn) this.#scheduleTimeupdate();
        return;
      case 'begin':
        return this.book.begin(effect.utterance, effect.opening);
      case 'dispatch': {
        const { event } = effect;
        return this.#dispatch(
          'id' in event ? { type: event.type, utterance: this.book.get(event.id).utterance } : event,
        );
      }
      case 'discard-events':
        this.#epoch++;
        return;
      case 'settle-plays':
        for (const play of this.plays.splice(0)) {
          if ('error' in effect) play.reject(effect.error);
          else play.resolve();
        }
        return;
      case 'start': {
        const record = this.book.get(effect.id);
        this.#stats.noteSound(this.#host.clock.now() - record.firstAudioMs);
        record.started.resolve();
        return this.needWords();
      }
      case 'settle':
        return this.book.get(effect.id).settle(effect.error);
      case 'end':
        this.book.get(effect.id).stopReading?.();
        this.#path.channel?.post({ type: 'end', serial: effect.serial });
        return;
      case 'open':
        void this.#open(effect.reason);
        return;
      case 'await-gesture': {
        const path = this.#path;
        path.output?.onUnlock(() => {
          if (!path.isClosed && this.#host.resumesOnGesture) this.step({ type: 'gesture' });
        });
        return;
      }
      case 'enqueue':
        this.#path.noteWish(effect.utterances[0]!.serial);
        for (const utterance of effect.utterances) this.#enqueue(utterance);
        return;
      case 'seek': {
        const { number, seconds, target, only } = effect;
        this.book.sought();
        this.words?.sought(seconds);
        this.#path.seek(number, target, only);
        return this.#position.seek(seconds);
      }
      case 'forget':
        this.book.shift(effect.seconds, this.#state);
        this.#path.channel?.post({ type: 'forget', serial: effect.serial });
        return this.#position.shift(effect.seconds);
      case 'request-session':
        return this.#broker!.need(effect.serial, effect.reason);
      case 'hold-session':
        return this.#broker!.hold(effect.session);
      case 'connect':
        return this.#connect(effect.serial);
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

  #dispatch(event: PlaybackEvent): void {
    const epoch = this.#epoch;
    queueMicrotask(() => {
      if (epoch === this.#epoch) this.#host.dispatch(event);
    });
  }

  #scheduleTimeupdate(): void {
    this.#cancelTimer = this.#host.clock.after(TIMEUPDATE_MS, () => {
      this.step({ type: 'timeupdate' });
      this.#scheduleTimeupdate();
    });
  }

  #enqueue({ id, serial, contextId }: QueuedUtterance): void {
    const { parts, isOpen, audio, pauseAfter } = this.book.get(id);
    const texts = parts && parts.map(spokenOf).filter(Boolean);
    const words = audio ? { texts: [], isAudio: true, more: false } : { texts, more: isOpen };
    this.#path.channel?.post({ type: 'enqueue', serial, contextId, pause: pauseAfter, ...words });
  }

  #connect(serial: number): void {
    const broker = this.#broker!;
    const session = broker.spend();
    this.#reportsTimes = session?.timings ?? false;
    if (this.#reportsTimes) this.needWords();
    const { canRenew } = broker;
    const { lead } = this.#host;
    if (session) this.#path.channel?.post({ type: 'connect', serial, session, canRenew, lead });
  }

  /** @param reason - Reason for the session that will be needed; null if none will be. */
  async #open(reason: SessionReason | null): Promise<void> {
    const path = this.#path;
    // Later, the worker reports at once that it needs a connection.
    const early = path.isOpened ? null : reason;
    let input: PlaybackInput;
    try {
      const part = this.#host.load();
      const isLoaded = !(part instanceof Promise);
      if (isLoaded) this.#take(part, early);
      // Before any await (quirk `safari-gesture-turn`): Safari allows sound only during the user's gesture.
      const opening = path.open(part);
      opening.catch(() => {}); // Awaited below.
      path.setBusy(!isPaused(this.#state)); // `open` has made the output if there was none.
      if (!isLoaded) this.#take(await part, path.isClosed ? null : early);
      input = { type: 'opened', isAllowed: await opening };
    } catch (error) {
      input = { type: 'output-failed', error: SpeakerError.from(error, 'output-failed') };
    }
    if (path.isClosed) return;
    this.#stats.follow(path.node, path.output);
    this.step(input);
  }

  /** @param early - Reason for a session that is requested before the worker needs it; null for none. */
  #take({ heardCharacters, createBroker }: LoadedPart, early: SessionReason | null): void {
    const host = this.#host;
    this.estimate = heardCharacters;
    this.#broker ??= createBroker({
      sessionHeld: (serial, session, reason) => {
        const key = `${host.transport} ${session.sampleRate}`;
        this.step({ type: 'session', serial, session, key, reason });
      },
      sessionFailed: (serial, error) => this.step({ type: 'session-failed', serial, error }),
    });
    if (early && this.#state.utterances.length > 0) this.#broker.prepare(early);
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
    if (!path.isClosed) this.step(input);
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
      const { input, transfer } = await this.book.get(id).audio!;
      if (this.#find(serial)) path.channel?.post({ type: 'open-stream', serial, input }, transfer);
    } catch (error) {
      this.step({ type: 'failed', serials: [serial], error: SpeakerError.from(error, 'socket-failed') });
    }
  }

  // --- reports of the other threads

  #newPath(): SpeechPath {
    const path: SpeechPath = new SpeechPath(this.#host, {
      reported: (report) => this.#reported(report, path),
      played: (event, delayMs) => {
        this.#position.clock.note(event);
        this.#heard.push(delayMs, () => {
          this.#position.clock.heard(event);
          if (event.event === 'start') noteBegin(this.heardFacts, event);
          if (event.event === 'underrun') {
            this.#stats.resumptionSilenceMs += seamMs(this.heardFacts, event.durationMs);
          }
          this.step({ type: 'heard', event });
        });
      },
      outputLost: () => this.outputChanged(),
      outputStill: (isStill) => this.step({ type: 'output-still', isStill }),
      outputBlocked: () => this.step({ type: 'output-blocked' }),
      outputFailed: (error) => this.step({ type: 'output-failed', error }),
      pageLeft: () => this.close(),
    });
    return path;
  }

  #reported(report: SpeakerReport, path: SpeechPath): void {
    switch (report.type) {
      case 'counters':
        this.#stats.count(report.counters);
        return this.step({ type: 'progress', nowMs: this.#host.clock.now(), ...report.counters });
      case 'samples':
        return this.kept.take(report.request, report);
      case 'stream-open':
        return this.step({ ...report, key: `${this.#host.transport} ${report.sampleRate}` });
      case 'connection-needed':
      case 'connection-busy':
        // If no other session can be requested, wait for the end of the cancelled speech.
        if (report.type === 'connection-busy' && !this.#broker!.canRenew) return;
        return this.step({ type: 'connection-needed', serial: report.serial });
      case 'connection-lost': {
        const first = report.serials[0]!;
        // Retry with a fresh session, or report the error to the page.
        const utterance = this.#find(first);
        if (this.#broker!.retry(first, utterance && hasAudio(utterance) ? 'resume' : 'retry')) return;
        return this.step({ ...report, type: 'failed' });
      }
      case 'failed':
        for (const [index, count] of report.sent?.entries() ?? []) {
          const { id } = this.#find(report.serials[index]!) ?? {};
          if (id !== undefined) this.book.dropUnsent(id, count);
        }
        return this.step(report);
      case 'stream-failed':
        return void this.#failStream(report.serial, report.cause);
      case 'socket-close':
        // A socket of an earlier path has no influence on the network state of the current one.
        if (path.isClosed) return this.#dispatch({ ...report, type: 'socketclose' });
        return this.step(report);
      case 'first-audio':
        this.#recordOf(report.serial)?.noteAudio(report.atMs, this.#reportsTimes);
        return this.step(report);
      case 'timings':
        this.#recordOf(report.serial)?.addTimes(report);
        return this.words?.update();
      case 'resuming':
        this.#recordOf(report.serial)?.cutOff(report.words, report.samples / this.#state.sampleRate);
        return this.words?.update();
      case 'resumed': {
        const record = this.#recordOf(report.serial);
        if (!record) return;
        this.#stats.resumptions++;
        const from = originalPosition(record.runs, report.from);
        return this.#dispatch({ type: 'resume', utterance: record.utterance, from });
      }
      case 'closed':
        return;
      default:
        return this.step(report);
    }
  }

  async #failStream(serial: number, cause: StreamFailure): Promise<void> {
    const audio = await this.#recordOf(serial)?.audio;
    if (audio) this.step({ type: 'failed', serials: [serial], error: audio.describeFailure(cause) });
  }

  #find(serial: number): QueuedUtterance | undefined {
    return this.#state.utterances.find((one) => one.serial === serial);
  }

  #recordOf(serial: number): UtteranceRecord | undefined {
    const utterance = this.#find(serial);
    return utterance && this.book.get(utterance.id);
  }
}
