/** The interfaces through which playback uses the rooms around it. The element connects them; tests pass their own. */
import type { Clock } from '../base/clock.js';
import type { SpeakerCommand } from '../connection/command.js';
import type { SpeakerReport } from '../connection/speaker-report.js';
import type { PlayoutEvent, PlayoutStats, Transport } from '../ring/index.js';
import type { BrokerFacts, SessionBroker } from '../sessions/session-broker.js';
import type { HeardRules } from './heard-part.js';
import type { PageAudio, PreparedAudio } from './page-audio.js';
import type { MediaEventType } from './state.js';
import type { HistoryRules } from './turn.js';
import type { Utterance } from './utterance.js';

/** An event for the page. State has changed before. */
export type PlaybackEvent =
  | { type: MediaEventType | 'blocked' | 'statechange' }
  | { type: 'utterancestart' | 'utteranceend'; utterance: Utterance }
  | { type: 'contextdone'; contextId: string }
  | { type: 'underrun'; durationMs: number }
  | { type: 'socketclose'; code: number; reason: string; openMs: number };

/** One speaker's channel to the worker. */
export interface SpeakerChannel {
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
  /** Seconds from context time until the sound is heard, 0 to 1. */
  readonly latency: number;
  /** Underruns of the device since the context was made, in number and seconds, where the browser counts them. */
  readonly playbackStats?: { readonly underrunEvents: number; readonly underrunDuration: number } | undefined;
  /** Resolves with false if the browser requires a gesture first; `onUnlock` reports that it came. */
  unlock(): Promise<boolean>;
  onUnlock(callback: () => void): void;
  setBusy(busy: boolean): void;
  /**
   * @param sampleRate - Of the speech, in Hz.
   * @throws {SpeakerError} If the worklet file does not load.
   */
  openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<PlaybackNode>;
  /** Moves to the output that the page wants now, node included. Context times are another context's from then on. */
  move(): Promise<void>;
  /** A MediaStream of what is heard. */
  capture(): unknown;
  close(): void;
}

/** Ring, processor and gain of one speaker, for speech of one sample rate. */
export interface PlaybackNode {
  readonly sampleRate: number;
  readonly transport: Transport;
  /** For the worker. Another one after the output has moved, if it has a port. */
  readonly ring: Extract<SpeakerCommand, { type: 'attach' }>['ring'];
  setPaused(paused: boolean): void;
  /** Applies what the page has changed since: loudness, delay, pace. */
  update(): void;
  cancel(serials: readonly number[]): void;
  /** Falls silent, and plays what the worker writes behind the mark of this seek. Returns its number. */
  seek(): number;
  stats(): PlayoutStats;
  /** Fades out, then resolves. Idempotent. */
  close(): Promise<void>;
}

/** A stream of text: an `AsyncIterable<string>` or a `ReadableStream<string>`. */
export type TextSource = object;

/** The element, as its playback sees it. */
export interface PlaybackHost {
  readonly clock: Clock;
  dispatch(event: PlaybackEvent): void;
  /** Nothing is left after `cancel()` or `close()`. */
  silenced(): void;
  /** The page has named a source of sessions. */
  readonly hasSource: boolean;
  /** URL of the audio stream that `play()` plays; null if it speaks instead. */
  readonly audioUrl: string | null;
  /** The user has touched the page, so the browser will most likely allow sound. */
  readonly userHasActed: boolean;
  readonly keepOpen: boolean;
  /** Seconds of received speech to keep for seeks. */
  readonly history: number;
  /** The transport that the page wants. A node made for another one is replaced. */
  readonly transport: string;
  /** Text for `play()`, or null if there is none. */
  readonly text: string | null;
  /** Blocked speech starts by itself when the output runs: after the first gesture, or because no gesture was needed. */
  readonly resumesOnGesture: boolean;
  /** Loads the rules of seeking. */
  loadHistory(): Promise<HistoryRules>;
  /** Loads the rules of what has been heard. */
  loadHeard(): Promise<HeardRules>;
  /** Loads and makes the broker that requests sessions. */
  createBroker(facts: BrokerFacts): Promise<SessionBroker>;
  /**
   * @param onPage - Called when the page is shown or hidden, and when it is left.
   * @throws {Error} If the worker does not start; the message says what to do.
   */
  openChannel(
    onReport: (report: SpeakerReport) => void,
    onPage: (event: 'visibility' | 'left') => void,
  ): Promise<SpeakerChannel>;
  /** @param onLost - Called when sound should be playing and is not: it is time to move. */
  openOutput(onLost: () => void): PlaybackOutput;
  /**
   * Makes audio ready for the worker.
   *
   * @param over - Rejects when it is no longer wanted.
   */
  prepareAudio(audio: PageAudio, over: Promise<void>): Promise<PreparedAudio>;
  /**
   * Calls `onSentence` with each sentence of a text as it is complete.
   *
   * @throws {unknown} The error of the stream; not after `signal` is aborted.
   */
  readSentences(stream: TextSource, onSentence: (sentence: string) => void, signal: AbortSignal): Promise<void>;
}
