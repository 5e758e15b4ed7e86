/** The interfaces through which playback uses the rooms around it. The element connects them; tests pass their own. */
import type { PreparedAudio } from '../connection/audio-input.js';
import type { OpenedChannel, SpeakerCommand } from '../connection/command.js';
import type { SpeakerReport } from '../connection/speaker-report.js';
import type { PlayoutEvent, PlayoutStats, Transport } from '../ring/index.js';
import type { BrokerFacts, SessionBroker } from '../sessions/session-broker.js';
import type { SpokenAs } from '../speakable/marks.js';
import type { TextStream } from '../text/read-text.js';
import type { Run } from '../speakable/runs.js';
import type { heardCharacters } from './heard-text.js';
import type { PageAudio } from './opening.js';
import type { MachineEvent } from './effect.js';
import type { Utterance } from './utterance.js';
import type { SpokenWords, WordEvents, WordFacts, WordHost } from './words.js';

/** An event for the page: an event of the machine, with the utterance in place of its id. */
export type PlaybackEvent =
  | WordEvents
  | { type: 'resume'; utterance: Utterance; from: number }
  | Exclude<MachineEvent, { id: number }>
  | { type: Extract<MachineEvent, { id: number }>['type']; utterance: Utterance };

/** The page's audio output, shared by its speakers. Every promise rejects with a `SpeakerError`. */
export interface PlaybackOutput {
  /** Resolves once the output is open. */
  readonly ready: Promise<void>;
  /** Undefined until the output is open, like `sampleRate`, which is in Hz. */
  readonly backend: string | undefined;
  readonly sampleRate: number | undefined;
  /** Context time in seconds. */
  readonly currentTime: number;
  /** Seconds from context time until the sound is heard, 0 to 1. */
  readonly latency: number;
  /** Number and duration in seconds of device underruns since the context was made, where the browser counts them. */
  readonly playbackStats?: { readonly underrunEvents: number; readonly underrunDuration: number } | undefined;
  /** True if the browser is known to allow sound, so that `unlock` waits only for the device. */
  readonly isAllowed: boolean;
  /** Resolves with false if the browser requires a gesture first; `onUnlock` reports the gesture, never at once. */
  unlock(): Promise<boolean>;
  onUnlock(callback: () => void): void;
  /** True if the output must run; false at first. */
  readonly busy: boolean;
  setBusy(busy: boolean): void;
  /**
   * @param sampleRate - Sample rate of the speech, in Hz.
   * @throws {SpeakerError} If the worklet file does not load.
   */
  openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<PlaybackNode>;
  /**
   * Moves to the output that the page wants now, with the node. Later context times are those of another context.
   *
   * @param onLeave - Called when the node leaves its output, unless it stays where it is.
   */
  move(onLeave: () => void): Promise<void>;
  /** Returns a MediaStream of the sound that is played. */
  capture(): unknown;
  close(): void;
}

/** Ring, processor and gain of one speaker, for speech of one sample rate. */
export interface PlaybackNode {
  readonly sampleRate: number;
  readonly transport: Transport;
  /** Ring for the worker. If it has a port, it is replaced when the output moves. */
  readonly ring: Extract<SpeakerCommand, { type: 'attach' }>['ring'];
  setPaused(paused: boolean): void;
  /** Applies the page's latest loudness, delay and pace. */
  update(): void;
  cancel(serials: readonly number[]): void;
  /** Goes silent, then plays what the worker writes after the mark of this seek. Returns the number of that mark. */
  seek(): number;
  stats(): PlayoutStats;
  /** Fades out, then resolves. Idempotent. */
  close(): Promise<void>;
}

/** The part of the player that is loaded with the first utterance. */
export interface LoadedPart {
  /** Estimates how much of a text has been heard. */
  readonly heardCharacters: typeof heardCharacters;
  /** Makes the broker that requests sessions. */
  createBroker(facts: BrokerFacts): SessionBroker;
  /** @param onPage - Called when the page is shown or hidden, and when it is left. */
  openChannel(onReport: (report: SpeakerReport) => void, onPage: (event: 'visibility' | 'left') => void): OpenedChannel;
}

/** The element as seen by its playback. */
export interface PlaybackHost extends WordHost {
  dispatch(event: PlaybackEvent): void;
  /** Called when `cancel()` or `close()` has left nothing to speak. */
  silenced(): void;
  /** True if the page has set a source of sessions. */
  readonly hasSource: boolean;
  /** Changes when the page wants other sessions than before, for example with another voice. */
  readonly sessionWish: string;
  /** URL of the audio stream that `play()` plays; null if it speaks instead. */
  readonly audioUrl: string | null;
  readonly keepOpen: boolean;
  /** Seconds of received speech to keep for seeks. */
  readonly history: number;
  /** Seconds of speech that the listener may need in advance; null not to resume speech whose connection has died. */
  readonly lead: number | null;
  /** The transport that the page wants. A node with another transport is replaced. */
  readonly transport: string;
  /** Text for `play()`, or null if there is none. */
  readonly text: string | null;
  /** True if blocked speech starts by itself once the output runs, after the first gesture or without one. */
  readonly resumesOnGesture: boolean;
  /** Loads the rest of the player; returns it if it is there. */
  load(): LoadedPart | Promise<LoadedPart>;
  /** Loads and makes the words. */
  makeWords(facts: () => WordFacts): Promise<SpokenWords>;
  /**
   * @param onLost - Called when sound should be playing but is not, so playback should move to another output.
   * @param onStill - Called with true when sound should be playing but the output stands still for now, and with false
   *   when it goes on.
   */
  openOutput(onLost: () => void, onStill: (isStill: boolean) => void): PlaybackOutput;
  /**
   * Prepares audio for the worker.
   *
   * @param over - Rejects when the audio is no longer wanted.
   */
  prepareAudio(audio: PageAudio, over: Promise<void>): Promise<PreparedAudio>;
  /** Wishes of the page for a text without its own. */
  readonly spokenAs: SpokenAs;
  /**
   * Calls `onPart` with the text and what is spoken for it: for a stream, with each sentence once it is complete.
   *
   * @throws {SpeakerError} If the stream fails, unless `signal` is aborted.
   */
  readText(
    text: string | TextStream,
    spokenAs: SpokenAs,
    onPart: (part: readonly Run[]) => void,
    signal: AbortSignal,
  ): Promise<void>;
}
