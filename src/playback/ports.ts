/**
 * What the playback needs of the rooms around it. The element puts them together; a test may pass its own.
 */
import type { ClientMessage } from '../protocol/index.js';
import type { PlayoutEvent, PlayoutStats, Transport } from '../ring/index.js';
import type { SpeakerCommand, SpeakerReport } from '../connection/command.js';
import type { Clock } from './heard-queue.js';
import type { Utterance } from './utterance.js';

/** What the playback tells, in order; state has changed before. */
export type PlaybackEvent =
  | { type: MediaEventType | 'blocked' }
  | { type: 'utterancestart' | 'utteranceend'; utterance: Utterance }
  | { type: 'contextdone'; contextId: string }
  | { type: 'underrun'; durationMs: number }
  | { type: 'socketclose'; code: number; reason: string; openMs: number };

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

/** Why a session is asked for. */
export type SessionReason = 'play' | 'speak' | 'retry';

/** A session, checked. */
export interface PlayableSession {
  url: string;
  sampleRate: number;
  messages: readonly ClientMessage[];
}

/** One speaker's way to the session worker. */
export interface SessionChannel {
  post(command: SpeakerCommand, transfer?: readonly unknown[]): void;
  close(): void;
}

/** The page's audio output, shared by its speakers. Every promise rejects with a `SpeakerError`. */
export interface PlaybackOutput {
  /** Resolves once it is open. */
  readonly ready: Promise<void>;
  /** Undefined before it is open; so is `sampleRate`. */
  readonly backend: string | undefined;
  readonly sampleRate: number | undefined;
  /** Context time in seconds. */
  readonly currentTime: number;
  /** Seconds from context time to ear, 0 to 1. */
  readonly latency: number;
  /** False if the browser wants a gesture first; `onUnlock` tells when it came. */
  unlock(): Promise<boolean>;
  onUnlock(callback: () => void): void;
  setBusy(busy: boolean): void;
  /**
   * @param sampleRate - Of the speech, in Hz.
   * @throws {SpeakerError} If the worklet file does not load.
   */
  openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<PlaybackNode>;
  /** Goes on, lines included, in the output that the page wants now; context times are another's from then on. */
  move(): Promise<void>;
  /** A MediaStream of what is heard. */
  capture(): unknown;
  close(): void;
}

/** Text that comes bit by bit: an `AsyncIterable<string>` or a `ReadableStream<string>`. */
export type TextStream = object;

/** Ring, processor and gain of one speaker, for one source rate. */
export interface PlaybackNode {
  readonly sampleRate: number;
  readonly transport: Transport;
  /** For the worker; another one after the output has moved, if it has a port. */
  readonly ring: Extract<SpeakerCommand, { type: 'attach' }>['ring'];
  setPaused(paused: boolean): void;
  /** Takes in what the page has changed since: loudness, delay, pace. */
  update(): void;
  cancel(serials: readonly number[]): void;
  stats(): PlayoutStats;
  /** Falls silent in a ramp; resolves when it has. Idempotent. */
  close(): Promise<void>;
}

/** The element, seen from its playback. */
export interface PlaybackHost {
  readonly clock: Clock;
  dispatch(event: PlaybackEvent): void;
  /** The page has named a source of sessions. */
  readonly hasSource: boolean;
  /** The source can give more than one session, so that a failed socket may be tried again. */
  readonly canRenew: boolean;
  /** The user has touched the page, so that the browser will most likely let it be heard. */
  readonly userHasActed: boolean;
  readonly keepOpen: boolean;
  /** The way to the audio thread that the page wants; a line that was made for another one is not used any more. */
  readonly transport: string;
  /** Text for `play()`, or null if there is none. */
  readonly text: string | null;
  /** Speech goes on by itself at the first gesture after it was blocked. */
  readonly resumesOnGesture: boolean;
  /** @throws {SpeakerError} If no usable session can be had. */
  requestSession(reason: SessionReason, signal: AbortSignal): Promise<PlayableSession>;
  /**
   * @param onPage - Called when the page is shown or hidden, and when it is left.
   * @throws {Error} If the worker does not start; the message says what to do.
   */
  openChannel(
    onReport: (report: SpeakerReport) => void,
    onPage: (event: 'visibility' | 'left') => void,
  ): Promise<SessionChannel>;
  /** @param onLost - Called when nothing is heard any more, though it should be: it is time to move. */
  openOutput(onLost: () => void): PlaybackOutput;
  /**
   * Calls `onSentence` with each sentence of a text as it is complete.
   *
   * @throws {unknown} What the stream fails with, once that has happened; not after `signal` is aborted.
   */
  readSentences(stream: TextStream, onSentence: (sentence: string) => void, signal: AbortSignal): Promise<void>;
}
