import type { KeptPart, SeekTarget } from '../connection/command.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import type { SessionReason } from '../sessions/session-source.js';
import type { MediaEventType, PlaybackState, QueuedUtterance } from './state.js';
import type { Opening } from './opening.js';

/** An event for the page. Refers to utterances by id. */
export type MachineEvent =
  | { type: MediaEventType | 'blocked' | 'statechange' }
  | { type: 'utterancestart' | 'utteranceend'; id: number }
  | { type: 'contextdone'; contextId: string }
  | { type: 'underrun'; durationMs: number }
  | { type: 'socketclose'; code: number; reason: string; openMs: number };

/** An action for the loop. Effects are run in order, after the state has changed. */
export type Effect =
  /** Note how much was heard of an utterance that is over, in the state before. `isWhole`: its last sample has been. */
  | { do: 'note-heard'; id: number; isWhole: boolean; before: PlaybackState }
  /** Silence utterances on all threads; serials in the order of speech. */
  | { do: 'cancel'; serials: readonly number[]; kept?: KeptPart }
  /** The output must run, or may stop. */
  | { do: 'set-busy'; isBusy: boolean }
  /** The audio thread holds the speech that is left, or plays it. */
  | { do: 'set-paused'; isPaused: boolean }
  /** Dispatch `timeupdate` regularly, or no longer. */
  | { do: 'time-updates'; isOn: boolean }
  /** There is another utterance. `opening` is what the page gives for it, if it gives anything. */
  | { do: 'begin'; utterance: QueuedUtterance; opening: Opening | undefined }
  | { do: 'dispatch'; event: MachineEvent }
  /** Drop the events that have not been dispatched yet. */
  | { do: 'discard-events' }
  /** Settle the promises of `play()`: reject with `error`, or resolve. */
  | { do: 'settle-plays'; error?: unknown }
  /** The first sample of an utterance has been heard. */
  | { do: 'start'; id: number }
  /** An utterance is over: reject its promises with `error`, or resolve. */
  | { do: 'settle'; id: number; error?: unknown }
  /** Open worker and output. `reason` is that of the session that will be needed; null if none will be. */
  | { do: 'open'; reason: SessionReason | null }
  | { do: 'await-gesture' }
  | { do: 'enqueue'; utterances: readonly QueuedUtterance[] }
  /** An utterance gets no more text or audio. What was received still plays. */
  | { do: 'end'; id: number; serial: number }
  | { do: 'request-session'; serial: number; reason: SessionReason }
  | { do: 'hold-session'; session: PlayableSession }
  | { do: 'connect'; serial: number }
  /** Hand the audio stream of an utterance to the worker. */
  | { do: 'open-stream'; serial: number; id: number }
  | { do: 'play-stream'; serial: number }
  | { do: 'release-session'; onlyUnneeded: boolean }
  | { do: 'open-node'; sampleRate: number }
  | { do: 'close-node' }
  /** Play from another place; the position becomes `seconds`. The other members are those of the worker's command. */
  | { do: 'seek'; number: number; seconds: number; target: SeekTarget; only: boolean }
  /** Speech before utterance `serial` is no longer kept; reduce the position by `seconds`. */
  | { do: 'forget'; serial: number; seconds: number }
  /** Drop the events of the audio thread that are not heard yet. */
  | { do: 'forget-unheard' }
  /** Restart the timeline at 0. */
  | { do: 'restart-clock' };
