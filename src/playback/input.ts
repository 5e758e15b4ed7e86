import type { SpeakerError } from '../base/speaker-error.js';
import type { QuietRange, TapePlace } from '../connection/command.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import type { PlayoutEvent } from '../ring/index.js';
import type { SessionReason } from '../sessions/session-source.js';
import type { QueuedUtterance } from './state.js';
import type { Opening } from './opening.js';

/** An utterance that the page asks for. */
export interface NewUtterance {
  /** Undefined for the next default id. */
  readonly contextId?: string | undefined;
  readonly words: QueuedUtterance['words'];
  readonly hasText: boolean;
  /** Text or audio of the page. The machine passes it on. */
  readonly opening?: Opening;
}

/** A call by the page, a report from another thread, or a timer. */
export type PlaybackInput =
  /** `utterance` is added if nothing is queued. */
  | { type: 'play'; utterance: NewUtterance }
  | { type: 'pause' }
  | { type: 'speak'; utterance: NewUtterance }
  /** A stream of text has delivered some. */
  | { type: 'first-text'; id: number }
  /** A stream of text has failed. */
  | { type: 'text-failed'; id: number; error: SpeakerError }
  /** `ids` is null to cancel all utterances. */
  | { type: 'cancel'; ids: readonly number[] | null; message: string }
  | { type: 'seek'; seconds: number }
  /** Play a kept utterance again, and pause at its end. */
  | { type: 'replay'; id: number }
  /** Forget what has been heard. */
  | { type: 'clear-history' }
  /** The text or the source that `play()` uses has changed. */
  | { type: 'source-changed' }
  | { type: 'close' }
  /** A source has been set. */
  | { type: 'load' }
  /** The user has touched the page. */
  | { type: 'gesture' }
  /** The output is open. If `isAllowed`, so is the worker; if not, the browser requires a gesture. */
  | { type: 'opened'; isAllowed: boolean }
  /** Worker or output cannot be opened, or the output has failed. */
  | { type: 'output-failed'; error: SpeakerError }
  /** Speech moves to another output. There is no sound until that output plays. */
  | { type: 'output-moving' }
  /** The output has begun to stand still, or goes on. */
  | { type: 'output-still'; isStill: boolean }
  | { type: 'output-blocked' }
  | { type: 'node-opened' }
  /** `key` identifies the kind of node that the session needs. */
  | { type: 'session'; serial: number; session: PlayableSession; key: string; reason: SessionReason }
  | { type: 'session-failed'; serial: number; error: SpeakerError }
  | { type: 'connection-needed'; serial: number }
  | { type: 'socket-open' }
  | { type: 'stream-open'; serial: number; sampleRate: number; key: string }
  | { type: 'stream-close' }
  | { type: 'socket-close'; code: number; reason: string; openMs: number }
  | { type: 'first-audio'; serial: number }
  | { type: 'received'; serial: number; samples: number }
  | { type: 'context-done'; contextId: string }
  | { type: 'failed'; serials: readonly number[]; error: SpeakerError }
  | {
      type: 'progress';
      nowMs: number;
      oldest: TapePlace | null;
      newest: TapePlace | null;
      quiet: readonly QuietRange[];
    }
  | { type: 'sought'; number: number; isKept: boolean }
  | { type: 'timeupdate' }
  /** An event of the audio thread, delayed until the listener hears it. */
  | { type: 'heard'; event: PlayoutEvent };
