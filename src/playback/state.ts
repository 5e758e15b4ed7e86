import type { SpeakerError } from '../base/speaker-error.js';
import type { QuietRange, TapePlace } from '../connection/command.js';

/** Values of `HTMLMediaElement.networkState`. */
export const NetworkState = { empty: 0, idle: 1, loading: 2, noSource: 3 } as const;
/** Values of `HTMLMediaElement.readyState`. */
export const ReadyState = { nothing: 0, metadata: 1, currentData: 2, futureData: 3, enoughData: 4 } as const;

/** Events that HTMLMediaElement also has. */
export type MediaEventType =
  | 'emptied'
  | 'loadstart'
  | 'durationchange'
  | 'loadedmetadata'
  | 'canplay'
  | 'play'
  | 'playing'
  | 'waiting'
  | 'pause'
  | 'timeupdate'
  | 'progress'
  | 'seeking'
  | 'seeked'
  | 'ended'
  | 'error';

/**
 * The mode of playback.
 *
 * `idle`: nothing to play. `waiting`: playback is wanted, but there is no sound to play yet. `playing`: sound is
 * playing. `paused`: held by `pause()`. `blocked`: the browser requires a gesture. `ended`: everything has been heard.
 */
export type Mode = 'idle' | 'waiting' | 'playing' | 'paused' | 'blocked' | 'ended';

/** The modes that may follow each mode. The property tests check the machine against this table. */
export const TRANSITIONS: Readonly<Record<Mode, readonly Mode[]>> = {
  idle: ['waiting', 'paused'],
  waiting: ['playing', 'paused', 'blocked', 'ended', 'idle'],
  playing: ['waiting', 'paused', 'blocked', 'ended', 'idle'],
  paused: ['waiting', 'ended', 'idle'],
  blocked: ['waiting', 'paused', 'idle'],
  ended: ['waiting', 'paused', 'idle'],
};

/** The published state of a speaker: `SvcSpeakerElement.state`. */
export type SpeakerState = 'idle' | 'connecting' | 'buffering' | 'playing' | 'paused' | 'blocked' | 'ended' | 'error';

/**
 * How far an utterance has come. `queued`: only the main thread has it. `sent`: the worker has it. `arriving`: audio of
 * it has arrived. `received`: all of it has, or as much as there will be. `replay`: it is over, and is kept or plays
 * again.
 */
type Phase = 'queued' | 'sent' | 'arriving' | 'received' | 'replay';

/** An utterance from the call of `speak()` until its last sample has been heard, and as long as it is kept. */
export interface QueuedUtterance {
  /** Permanent id, from 1. */
  readonly id: number;
  readonly phase: Phase;
  /** Its number on the other threads, ascending in the order of speech; 0 while it is `queued`. */
  readonly serial: number;
  readonly contextId: string;
  readonly origin: 'play' | 'speak';
  /** Origin of the words: the page (`own`), the session, or an audio stream. */
  readonly words: 'own' | 'session' | 'audio';
  /** True once some text was given. */
  readonly hasText: boolean;
  /** Length in seconds, once it is `received`; null before. */
  readonly seconds: number | null;
  /** Start on the timeline in seconds, once it has been played to its end; null before. */
  readonly start: number | null;
  /** Position in the utterance, in seconds, at which playback of it began. */
  readonly from: number;
  /** Seconds of it that had been heard before the last seek. */
  readonly reached: number;
  /** True if it was cancelled, and only what was heard of it is kept. */
  readonly isCut: boolean;
  readonly failure: SpeakerError | null;
}

/** The timeline, in seconds of speech since it began. The current position comes from the audio clock. */
export interface Timeline {
  /** End of the utterances that are over. */
  readonly past: number;
  /** Lower limit of the current position. */
  readonly reached: number;
  /** False once an utterance was cut short: then only the audio thread knows how much of it was heard. */
  readonly isExact: boolean;
  /** NaN before anything is known, Infinity while more may come. */
  readonly duration: number;
}

/** The complete state of the playback machine. */
export interface PlaybackState {
  readonly mode: Mode;
  readonly readyState: number;
  readonly networkState: number;
  readonly error: SpeakerError | null;
  /** In the order of speech. */
  readonly utterances: readonly QueuedUtterance[];
  /** Earlier utterances, which are over and may still be kept, in the order of speech. */
  readonly past: readonly QueuedUtterance[];
  /** The samples that the worker keeps: the oldest one, and the end of the newest utterance. */
  readonly oldest: TapePlace | null;
  readonly newest: TapePlace | null;
  /** Quiet parts of the utterances that are not over. The next report drops those of the others. */
  readonly quiet: readonly QuietRange[];
  /** Number of the seek that is under way; 0 if there is none. */
  readonly seeking: number;
  readonly lastSeek: number;
  /** Id of the utterance that is replayed, with a pause at its end; null if there is none. */
  readonly replaying: number | null;
  /** True if the text or the source of `play()` has changed since the last utterance. */
  readonly isSourceNew: boolean;
  readonly lastId: number;
  readonly lastSerial: number;
  /** Number of the last default context id. */
  readonly lastContext: number;
  readonly timeline: Timeline;
  /** True if the last requested utterance has failed, so that playback ends with an error. */
  readonly endsInError: boolean;
  /** True while the output stands still: its context is suspended or interrupted, or its clock does not advance. */
  readonly isStill: boolean;
  /** True while the output is being opened or resumed. */
  readonly isOpening: boolean;
  /** The node, for speech of one rate over one transport, which `key` names. */
  readonly node: { readonly key: string; readonly isOpen: boolean } | null;
  /** The session or audio stream that waits for its node. Then its connection is opened, or the stream is read. */
  readonly pending: {
    readonly serial: number;
    readonly sampleRate: number;
    readonly key: string;
    readonly isStream: boolean;
  } | null;
  /** Sample rate of the latest connection or audio stream, in Hz. */
  readonly sampleRate: number;
  /** Utterances for which the latest sessions brought the words, including those that are over. */
  readonly brought: readonly Pick<QueuedUtterance, 'id' | 'contextId'>[];
  /** Time of the last `progress` event, in ms since the epoch. */
  readonly progressAtMs: number;
  /** Samples of the newest utterance at that time. */
  readonly progressSample: number;
}

export const EMPTY_TIMELINE: Timeline = { past: 0, reached: 0, isExact: true, duration: Number.NaN };

export const INITIAL_STATE: PlaybackState = {
  mode: 'idle',
  readyState: ReadyState.nothing,
  networkState: NetworkState.empty,
  error: null,
  utterances: [],
  past: [],
  oldest: null,
  newest: null,
  quiet: [],
  seeking: 0,
  lastSeek: 0,
  replaying: null,
  isSourceNew: false,
  lastId: 0,
  lastSerial: 0,
  lastContext: 0,
  timeline: EMPTY_TIMELINE,
  endsInError: false,
  isStill: false,
  isOpening: false,
  node: null,
  pending: null,
  sampleRate: Number.NaN,
  brought: [],
  progressAtMs: 0,
  progressSample: 0,
};

/** Computes HTML's `paused`: true if nothing will be heard until `play()` is called. */
export function isPaused({ mode }: PlaybackState): boolean {
  return mode !== 'waiting' && mode !== 'playing';
}

/** True once audio of an utterance has arrived. */
export function hasAudio({ phase, seconds }: QueuedUtterance): boolean {
  return phase !== 'queued' && phase !== 'sent' && seconds !== 0;
}

/** Derives the published state. */
export function publishedState(state: PlaybackState): SpeakerState {
  const [head] = state.utterances;
  switch (state.mode) {
    case 'waiting':
      return state.networkState === NetworkState.loading || !head || hasAudio(head) ? 'buffering' : 'connecting';
    case 'playing':
      return state.isStill ? 'buffering' : 'playing';
    case 'idle':
      return state.error ? 'error' : 'idle';
    default:
      return state.mode;
  }
}
