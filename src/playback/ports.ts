/**
 * What the playback needs of the rooms around it. The element puts them together; a test may pass its own.
 */
import type { ClientMessage } from '../protocol/index.js';
import type { FromProcessor, PlayoutStats } from '../ring/index.js';
import type { SpeakerCommand, SpeakerReport } from '../session/command.js';
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

/** The page's audio output, shared by its speakers. */
export interface PlaybackOutput {
  readonly backend: string;
  readonly sampleRate: number;
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
  openLine(sampleRate: number, onEvent: (event: LineEvent) => void): Promise<PlaybackLine>;
  close(): void;
}

/** What the audio thread tells of one line. */
export type LineEvent = Exclude<FromProcessor, { header: Int32Array }>;

/** Ring, processor and gain of one speaker, for one source rate. */
export interface PlaybackLine {
  readonly sampleRate: number;
  readonly transport: 'shared' | 'message';
  readonly sink: Extract<SpeakerCommand, { type: 'attach' }>['sink'];
  setPaused(paused: boolean): void;
  /** Takes in what the page has changed since: loudness, delay, pace. */
  update(): void;
  cancel(serials: readonly number[]): void;
  stats(): PlayoutStats;
  close(): void;
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
  /** @throws {SpeakerError} If the worker does not start. */
  openChannel(onReport: (report: SpeakerReport) => void): Promise<SessionChannel>;
  /** @throws {SpeakerError} If the page cannot play sound. */
  openOutput(): Promise<PlaybackOutput>;
  /** Makes what a promise of HTMLMediaElement rejects with. */
  domException(message: string, name: string): Error;
}
