import type { SpeakerError } from '../base/speaker-error.js';
import type { KeptPart } from '../connection/command.js';
import type { Effect } from './effect.js';
import type { NewUtterance } from './input.js';
import {
  EMPTY_TIMELINE,
  hasAudio,
  isPaused,
  type MediaEventType,
  NetworkState,
  type PlaybackState,
  publishedState,
  type QueuedUtterance,
  ReadyState,
} from './state.js';
import { placed } from './timeline.js';

/** The position as the audio clock reports it, in seconds of speech. */
export interface Position {
  /** The position that the page has seen. */
  readonly shown: number;
  /** The position by the audio thread's count, which may be ahead of what is heard and beyond the duration. */
  readonly counted: number;
}

type Draft = { -readonly [Name in keyof PlaybackState]: PlaybackState[Name] };

/**
 * One step of the playback machine: the next state while it is being computed, and the effects so far.
 *
 * The methods make the changes that HTML makes to a media element, in HTML's order.
 */
export class Turn {
  readonly state: Draft;
  readonly effects: Effect[] = [];
  readonly position: Position;
  readonly #before: PlaybackState;
  /** Effects that are run before the others, so that nothing plays in between: what was heard, then what is silenced. */
  readonly #heard: Effect[] = [];
  readonly #cancels: Effect[] = [];

  constructor(before: PlaybackState, position: Position) {
    this.#before = before;
    this.state = { ...before };
    this.position = position;
  }

  get hasSpeech(): boolean {
    return this.state.utterances.length > 0;
  }

  get head(): QueuedUtterance | undefined {
    return this.state.utterances[0];
  }

  /** End of the speech that is over and may be kept, in seconds; 0 if there is none. */
  get endOfKept(): number {
    const last = this.state.past.at(-1);
    return last ? last.start! + last.seconds! : 0;
  }

  find(serial: number): QueuedUtterance | undefined {
    return this.state.utterances.find((utterance) => utterance.serial === serial);
  }

  /** Like `find`, but ignores replays: the worker's reports about them come too late. */
  findFresh(serial: number): QueuedUtterance | undefined {
    return this.state.utterances.find((utterance) => utterance.serial === serial && utterance.phase !== 'replay');
  }

  /** Replaces an utterance of the queue. */
  update(changed: QueuedUtterance): void {
    this.state.utterances = this.state.utterances.map((one) => (one.id === changed.id ? changed : one));
  }

  remove(ids: readonly number[]): void {
    this.state.utterances = this.state.utterances.filter(({ id }) => !ids.includes(id));
  }

  /** Begins an utterance with the next id, for the end of the queue. */
  makeUtterance(
    contextId: string,
    origin: QueuedUtterance['origin'],
    { words, hasText, opening }: Pick<NewUtterance, 'words' | 'hasText' | 'opening'>,
  ): QueuedUtterance {
    const utterance: QueuedUtterance = {
      id: ++this.state.lastId,
      phase: 'queued',
      serial: 0,
      contextId,
      origin,
      words,
      hasText,
      seconds: null,
      start: null,
      from: 0,
      reached: 0,
      isCut: false,
      failure: null,
    };
    this.effects.push({ do: 'begin', utterance, opening });
    return utterance;
  }

  /** Gives the wanted utterances their serials, in the order of speech, and hands them to the worker. */
  enqueue(wanted: (utterance: QueuedUtterance) => boolean): void {
    const fresh: QueuedUtterance[] = [];
    this.state.utterances = this.state.utterances.map((one) => {
      if (!wanted(one)) return one;
      const numbered: QueuedUtterance = { ...one, phase: 'sent', serial: ++this.state.lastSerial };
      fresh.push(numbered);
      return numbered;
    });
    if (fresh.length > 0) this.effects.push({ do: 'enqueue', utterances: fresh });
  }

  /** Silences utterances on all threads. @param serials - In the order of speech. */
  cancel(serials: readonly number[], kept: KeptPart | null = null): void {
    this.#cancels.push({ do: 'cancel', serials, ...(kept && { kept }) });
  }

  /**
   * Ends an utterance for the page.
   *
   * @param error - Null if all of it was spoken.
   * @param isWhole - True if its last sample has been heard.
   */
  settle(id: number, error: unknown = null, isWhole = false): void {
    this.#heard.push({ do: 'note-heard', id, isWhole, before: this.#before });
    this.effects.push({ do: 'settle', id, ...(error !== null && { error }) });
  }

  dispatch(...types: (MediaEventType | 'blocked')[]): void {
    for (const type of types) this.effects.push({ do: 'dispatch', event: { type } });
  }

  // --- changes to a media element, as in HTML

  /** Begins to load. */
  load(): void {
    this.state.networkState = NetworkState.idle;
    this.dispatch('loadstart');
  }

  /** Prepares for another utterance: clears the error, and loads or extends the timeline. */
  begin(): void {
    const { networkState } = this.state;
    this.state.error = null;
    this.state.endsInError = false;
    if (networkState === NetworkState.empty || networkState === NetworkState.noSource) this.load();
    this.extend();
  }

  /** Starts or resumes playback. */
  resume(): void {
    if (isPaused(this.state)) {
      this.state.mode = 'waiting';
      this.dispatch('play');
      if (this.state.readyState < ReadyState.futureData) this.dispatch('waiting');
    }
    if (this.state.isOpening) return;
    this.state.isOpening = true;
    // A text stream that has not delivered a sentence needs no session yet.
    const { head } = this;
    const needsSession = head && head.phase !== 'replay' && (head.words === 'session' || head.hasText);
    this.effects.push({ do: 'open', reason: needsSession ? head.origin : null });
  }

  /** Stops playback and enters `mode`. */
  hold(mode: 'paused' | 'blocked' | 'idle'): void {
    if (!isPaused(this.state)) this.dispatch('timeupdate', 'pause');
    this.state.mode = mode;
  }

  /** Notes that the socket or the audio stream is open. */
  connected(): void {
    this.state.networkState = NetworkState.loading;
    if (this.state.readyState !== ReadyState.nothing) return;
    this.state.timeline = { ...this.state.timeline, duration: Number.POSITIVE_INFINITY };
    this.state.readyState = ReadyState.metadata;
    this.dispatch('durationchange', 'loadedmetadata');
  }

  /** Notes that the socket or the audio stream is closed. */
  disconnected(): void {
    if (this.state.networkState === NetworkState.loading) this.state.networkState = NetworkState.idle;
  }

  /** Notes that there is something to play. */
  canPlay(readyState: number): void {
    const could = this.state.readyState >= ReadyState.futureData;
    this.state.readyState = Math.max(this.state.readyState, readyState);
    if (!could) this.dispatch('canplay');
  }

  /** Notes that sound is playing. */
  play(): void {
    if (isPaused(this.state)) return;
    this.canPlay(ReadyState.enoughData);
    const { mode, isStill } = this.state;
    this.state.mode = 'playing';
    if (isStill) return;
    if (mode !== 'playing') this.dispatch('playing');
    this.effects.push({ do: 'settle-plays' });
  }

  /** Notes that the output has begun to stand still, or goes on. */
  setStill(isStill: boolean): void {
    if (isStill === this.state.isStill) return;
    this.state.isStill = isStill;
    if (this.state.mode !== 'playing') return;
    this.dispatch(isStill ? 'waiting' : 'playing');
    if (!isStill) this.effects.push({ do: 'settle-plays' });
  }

  /** Notes that there is nothing to play now, and that more will come. */
  wait(): void {
    this.#runOut();
    if (this.state.mode !== 'playing') return;
    this.state.mode = 'waiting';
    this.dispatch('waiting');
  }

  #runOut(): void {
    this.state.readyState = Math.min(this.state.readyState, ReadyState.currentData);
  }

  /** Ends playback after the last sample has been heard. As in HTML, an element that has ended is paused. */
  end(): void {
    this.#runOut();
    this.#endTimeline();
    const paused = isPaused(this.state);
    this.state.mode = 'ended';
    this.dispatch('timeupdate');
    if (!paused) this.dispatch('pause');
    this.dispatch('ended');
    this.effects.push({ do: 'settle-plays' });
  }

  /** Reports an error: some of the requested speech will not be heard. */
  fail(error: SpeakerError): void {
    this.state.error = error;
    if (error.code === 4 && this.state.readyState === ReadyState.nothing) {
      this.state.networkState = NetworkState.noSource;
    }
    this.dispatch('error');
  }

  // --- the timeline

  /** Restarts the timeline at 0, for another stream. */
  restart(): void {
    this.state.seeking = 0;
    this.state.past = [];
    this.state.timeline = EMPTY_TIMELINE;
    this.effects.push({ do: 'restart-clock' });
    this.dispatch('seeking');
  }

  /** Makes the duration, if there is one, infinite, because more speech will come. */
  extend(): void {
    if (this.state.readyState !== ReadyState.nothing) this.setDuration(Number.POSITIVE_INFINITY);
  }

  /** Moves the timeline past an utterance of `seconds` that has been heard to its end and has left the queue. */
  pass(utterance: QueuedUtterance, seconds: number, isKept: boolean): void {
    const { timeline } = this.state;
    const start = utterance.start ?? timeline.past;
    if (isKept) this.keep({ ...utterance, seconds, start });
    const past = this.head?.start ?? start + seconds;
    this.state.timeline = { ...timeline, past, reached: timeline.isExact ? past : timeline.reached };
  }

  /** Adds an utterance that is over to `past`, if it has samples that the worker may keep. */
  keep(utterance: QueuedUtterance): void {
    if (!hasAudio(utterance)) return;
    this.state.past = [...this.state.past, { ...utterance, phase: 'replay', from: 0, reached: 0 }];
  }

  /** Moves the position to `seconds`, in the utterance that begins at `start`. */
  moveTo(seconds: number, start: number): void {
    this.state.timeline = { ...this.state.timeline, past: start, reached: seconds, isExact: true };
  }

  /** Ends the utterance that is being heard, near the current position. */
  cut(): void {
    const { timeline } = this.state;
    const { past, duration } = timeline;
    const here = Number.isFinite(duration) ? Math.min(this.position.counted, duration) : this.position.counted;
    const reached = Math.max(past, here);
    this.state.timeline = { ...timeline, past: reached, reached, isExact: false };
  }

  /** Sets the duration once every utterance was received. */
  complete(): void {
    const { utterances, timeline } = this.state;
    if (utterances.some(({ seconds }) => seconds === null)) return;
    const last = utterances.length > 0 ? placed(this.state).at(-1) : undefined;
    const end = last ? last.start + last.utterance.seconds! : timeline.past;
    const duration = Math.max(end, timeline.reached, this.position.shown);
    // Ignore differences that come from adding the same seconds in another order.
    if (!Number.isNaN(timeline.duration) && !(Math.abs(duration - timeline.duration) < 1e-6)) {
      this.setDuration(duration);
    }
  }

  #endTimeline(): void {
    const { past, isExact, duration } = this.state.timeline;
    const known = isExact && Number.isFinite(duration);
    // Kept speech lies before the end, also after an utterance that ended at an estimated position.
    const end = known ? duration : Math.max(this.position.counted, isExact ? past : this.endOfKept);
    this.setDuration(end);
    this.state.timeline = { past: end, reached: end, isExact: true, duration: end };
  }

  setDuration(duration: number): void {
    if (Object.is(this.state.timeline.duration, duration)) return;
    this.state.timeline = { ...this.state.timeline, duration };
    this.dispatch('durationchange');
  }

  /** Returns the new state and the effects. Dispatches a change of the published state after everything else. */
  finish(): { state: PlaybackState; effects: readonly Effect[] } {
    const [before, state] = [this.#before, this.state];
    const changes: Effect[] = [];
    if (isPaused(before) !== isPaused(state)) changes.push({ do: 'set-busy', isBusy: !isPaused(state) });
    if (isHeld(before) !== isHeld(state)) changes.push({ do: 'set-paused', isPaused: isHeld(state) });
    const isPlaying = state.mode === 'playing';
    if ((before.mode === 'playing') !== isPlaying) changes.push({ do: 'time-updates', isOn: isPlaying });
    if (publishedState(state) !== publishedState(before)) {
      this.effects.push({ do: 'dispatch', event: { type: 'statechange' } });
    }
    return { state, effects: [...this.#heard, ...this.#cancels, ...changes, ...this.effects] };
  }
}

/** True if speech is left that does not play. */
function isHeld({ mode }: PlaybackState): boolean {
  return mode === 'paused' || mode === 'blocked';
}
