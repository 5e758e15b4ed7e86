import type { SpeakerError } from '../base/speaker-error.js';
import type { TapePlace } from '../connection/command.js';

/** As in HTMLMediaElement. */
export const NetworkState = { empty: 0, idle: 1, loading: 2, noSource: 3 } as const;
/** As in HTMLMediaElement. */
export const ReadyState = { nothing: 0, metadata: 1, currentData: 2, futureData: 3, enoughData: 4 } as const;

/** Events that HTMLMediaElement has too. */
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
 * What playback is doing.
 *
 * `idle`: nothing to play. `waiting`: speech is wanted, and there is none to play. `playing`: sound is playing.
 * `paused`: held by `pause()`. `blocked`: the browser requires a gesture. `ended`: everything has been heard.
 */
export type Mode = 'idle' | 'waiting' | 'playing' | 'paused' | 'blocked' | 'ended';

/** The modes that may follow each mode. The property tests hold the machine to it. */
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

/** An utterance from the call of `speak()` until its last sample has been heard. */
export interface QueuedUtterance {
  /** Identifies it for good, from 1. */
  readonly id: number;
  /** Its number on the other threads, ascending in the order of speech; 0 until the worker has it. */
  readonly serial: number;
  readonly contextId: string;
  readonly origin: 'play' | 'speak';
  /** Whether the page gave the words, the session brings them, or it is an audio stream. */
  readonly words: 'own' | 'session' | 'audio';
  /** Some text was given. */
  readonly hasText: boolean;
  /** When its first frame arrived, in ms since the epoch; 0 before. */
  readonly firstAudioMs: number;
  /** Its length, once all of it was received. */
  readonly seconds: number | null;
  /** Where it begins on the timeline, once it has been played to its end. */
  readonly start: number | null;
  /** Position in the utterance, in seconds, at which playback of it began. */
  readonly from: number;
  /** Seconds of it that were heard before the last seek. */
  readonly reached: number;
  /** It is over, and plays again. */
  readonly isReplay: boolean;
  readonly failure: SpeakerError | null;
}

/** The end of the timeline, in seconds of speech since it began. The position is the audio clock's. */
export interface Timeline {
  /** Length of the utterances that are over. */
  readonly past: number;
  /** The position is at least this. */
  readonly reached: number;
  /** False once an utterance was cut short: then only the audio thread knows how much of it was heard. */
  readonly isExact: boolean;
  /** NaN before anything is known, Infinity while more may come. */
  readonly duration: number;
}

/** Everything that playback decides by. */
export interface PlaybackState {
  readonly mode: Mode;
  readonly readyState: number;
  readonly networkState: number;
  readonly error: SpeakerError | null;
  /** In the order of speech. */
  readonly utterances: readonly QueuedUtterance[];
  /** Utterances before those, which are over and may be kept, in the order of speech. */
  readonly past: readonly QueuedUtterance[];
  /** What the worker keeps: the oldest sample, and the end of the newest utterance. */
  readonly oldest: TapePlace | null;
  readonly newest: TapePlace | null;
  /** Number of the seek that is under way; 0 if there is none. */
  readonly seeking: number;
  readonly lastSeek: number;
  /** The utterance that is replayed, with a pause at its end. */
  readonly replaying: number | null;
  /** What `play()` speaks has changed since the last utterance. */
  readonly isSourceNew: boolean;
  readonly lastId: number;
  readonly lastSerial: number;
  /** Number of the last context that was named by default. */
  readonly lastContext: number;
  readonly timeline: Timeline;
  /** The last utterance that was asked for has failed, so playback ends with an error. */
  readonly endsInError: boolean;
  /** The output is being opened or resumed. */
  readonly isOpening: boolean;
  /** The node that plays speech of one rate over one transport. */
  readonly node: { readonly key: string; readonly isOpen: boolean } | null;
  /** The session or audio stream that waits for its node before a connection is opened, or the stream read. */
  readonly pending: {
    readonly serial: number;
    readonly sampleRate: number;
    readonly key: string;
    readonly isStream: boolean;
  } | null;
  /** Sample rate of the latest connection or audio stream, in Hz. */
  readonly sampleRate: number;
  /** Utterances whose words the latest sessions brought, including those that are over. */
  readonly brought: readonly Pick<QueuedUtterance, 'id' | 'contextId'>[];
  /** When `progress` was last dispatched, in ms since the epoch. */
  readonly progressAtMs: number;
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
  seeking: 0,
  lastSeek: 0,
  replaying: null,
  isSourceNew: false,
  lastId: 0,
  lastSerial: 0,
  lastContext: 0,
  timeline: EMPTY_TIMELINE,
  endsInError: false,
  isOpening: false,
  node: null,
  pending: null,
  sampleRate: Number.NaN,
  brought: [],
  progressAtMs: 0,
};

/** HTML's `paused`: nothing is to be heard until `play()`. */
export function isPaused({ mode }: PlaybackState): boolean {
  return mode !== 'waiting' && mode !== 'playing';
}

/** Derives the published state. */
export function publishedState(state: PlaybackState): SpeakerState {
  const [head] = state.utterances;
  switch (state.mode) {
    case 'waiting':
      return state.networkState === NetworkState.loading || !head || head.firstAudioMs > 0 ? 'buffering' : 'connecting';
    case 'idle':
      return state.error ? 'error' : 'idle';
    default:
      return state.mode;
  }
}
