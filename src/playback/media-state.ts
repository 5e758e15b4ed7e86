import { Deferred } from './deferred.js';
import type { Clock } from './heard-queue.js';
import type { PlaybackEvent } from './ports.js';
import type { SpeakerError } from './speaker-error.js';
import { Timeline } from './timeline.js';

/** As in HTMLMediaElement. */
export const NetworkState = { empty: 0, idle: 1, loading: 2, noSource: 3 } as const;
/** As in HTMLMediaElement. */
export const ReadyState = { nothing: 0, metadata: 1, currentData: 2, futureData: 3, enoughData: 4 } as const;

/** HTML asks for a `timeupdate` every 15 to 250 ms, and a `progress` about every 350 ms. */
const TIMEUPDATE_MS = 250;
const PROGRESS_MS = 350;

/**
 * The attributes of a media element that say where it is, the events that tell of their changes, and the promises of
 * `play()`: each step below does what HTML does in that case.
 *
 * State changes at once; its event follows in a microtask, in order. `empty` takes back what has not been told yet.
 *
 * Main thread.
 */
export class MediaState {
  paused = true;
  ended = false;
  /** The browser wanted a gesture when playback was last asked for. */
  blocked = false;
  /** Sound is leaving. */
  sounding = false;
  readyState: number = ReadyState.nothing;
  networkState: number = NetworkState.empty;
  error: SpeakerError | null = null;
  readonly timeline = new Timeline();
  readonly #clock: Clock;
  readonly #dispatch: (event: PlaybackEvent) => void;
  /** Promises of `play()` that wait for sound. */
  #plays: Deferred[] = [];
  #timer: unknown;
  #progressAt = 0;
  /** Counts how often it was emptied. */
  #life = 0;

  constructor(clock: Clock, dispatch: (event: PlaybackEvent) => void) {
    this.#clock = clock;
    this.#dispatch = dispatch;
  }

  /** Tells the page, unless it is emptied before. */
  tell(event: PlaybackEvent): void {
    const life = this.#life;
    queueMicrotask(() => {
      if (life === this.#life) this.#dispatch(event);
    });
  }

  /** Something is asked for. */
  begin(): void {
    this.ended = false;
    this.error = null;
    if (this.networkState === NetworkState.empty || this.networkState === NetworkState.noSource) this.load();
    if (this.readyState !== ReadyState.nothing && this.timeline.extend()) this.tell({ type: 'durationchange' });
  }

  /** There is something to load. */
  load(): void {
    this.networkState = NetworkState.idle;
    this.tell({ type: 'loadstart' });
  }

  /** What is asked for now is another stream: in HTML a seek to the beginning, which `play()` starts from. */
  restart(): void {
    this.timeline.reset();
    this.tell({ type: 'seeking' });
  }

  /** The position is the beginning. */
  restarted(): void {
    this.tell({ type: 'timeupdate' });
    this.tell({ type: 'seeked' });
  }

  /** A promise that is settled by the next sound, or by what prevents it. */
  untilSound(): Promise<void> {
    const play = new Deferred();
    // A page that does not look at it still gets `blocked` and `error`.
    play.promise.catch(() => {});
    if (!this.paused && this.sounding) play.resolve();
    else this.#plays.push(play);
    return play.promise;
  }

  rejectPlays(reason: unknown): void {
    for (const play of this.#plays.splice(0)) play.reject(reason);
  }

  #resolvePlays(): void {
    for (const play of this.#plays.splice(0)) play.resolve();
  }

  /** Playback is wanted. */
  resume(): void {
    this.paused = false;
    this.blocked = false;
    this.tell({ type: 'play' });
    if (this.readyState < ReadyState.futureData) this.tell({ type: 'waiting' });
  }

  /** Playback is not wanted any more. */
  hold(): void {
    this.silence();
    if (this.paused) return;
    this.paused = true;
    this.tell({ type: 'timeupdate' });
    this.tell({ type: 'pause' });
  }

  /** The socket is open. */
  connect(): void {
    this.networkState = NetworkState.loading;
    if (this.readyState !== ReadyState.nothing) return;
    this.timeline.extend();
    this.readyState = ReadyState.metadata;
    this.tell({ type: 'durationchange' });
    this.tell({ type: 'loadedmetadata' });
  }

  /** The socket is closed. */
  disconnect(): void {
    if (this.networkState === NetworkState.loading) this.networkState = NetworkState.idle;
  }

  /** Speech is arriving. */
  progress(): void {
    const now = this.#clock.now();
    if (this.networkState !== NetworkState.loading || now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    this.tell({ type: 'progress' });
  }

  /** There is something to play. */
  canPlay(readyState: number): void {
    const could = this.readyState >= ReadyState.futureData;
    this.readyState = Math.max(this.readyState, readyState);
    if (!could) this.tell({ type: 'canplay' });
  }

  /** Sound leaves. */
  play(): void {
    if (this.paused) return;
    this.canPlay(ReadyState.enoughData);
    if (!this.sounding) {
      this.sounding = true;
      this.#tick();
      this.tell({ type: 'playing' });
    }
    this.#resolvePlays();
  }

  #tick(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.tell({ type: 'timeupdate' });
      this.#tick();
    }, TIMEUPDATE_MS);
  }

  /** Sound has run out, and more is to come. */
  wait(): void {
    const sounded = this.sounding;
    this.#runOut();
    if (sounded && !this.paused) this.tell({ type: 'waiting' });
  }

  #runOut(): void {
    this.silence();
    this.readyState = Math.min(this.readyState, ReadyState.currentData);
  }

  /** No sound leaves any more. */
  silence(): void {
    this.sounding = false;
    this.#clock.clearTimeout(this.#timer);
  }

  /** All that will come has come. @param rest - Seconds of it that are not heard yet. */
  complete(rest: number): void {
    if (this.timeline.complete(rest)) this.tell({ type: 'durationchange' });
  }

  /** The last sample has been heard. As in HTML, an element that has ended is paused. */
  end(): void {
    this.#runOut();
    if (this.timeline.end()) this.tell({ type: 'durationchange' });
    const { paused } = this;
    this.ended = true;
    this.paused = true;
    this.tell({ type: 'timeupdate' });
    if (!paused) this.tell({ type: 'pause' });
    this.tell({ type: 'ended' });
    this.#resolvePlays();
  }

  /** Some of what was asked for will not be heard. */
  fail(error: SpeakerError): void {
    this.error = error;
    if (error.code === 4 && this.readyState === ReadyState.nothing) this.networkState = NetworkState.noSource;
    this.tell({ type: 'error' });
  }

  /** Back to where it began. Idempotent. */
  empty(): void {
    if (this.networkState === NetworkState.empty) return;
    this.#life++;
    this.silence();
    this.paused = true;
    this.ended = false;
    this.blocked = false;
    this.error = null;
    this.readyState = ReadyState.nothing;
    this.networkState = NetworkState.empty;
    this.tell({ type: 'emptied' });
    this.timeline.follow(undefined, undefined);
    if (this.timeline.current(false) > 0) this.tell({ type: 'timeupdate' });
    this.timeline.reset();
    this.#progressAt = 0;
  }
}
