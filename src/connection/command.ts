import type { PlayableSession } from '../protocol/playable-session.js';
import type { PortRing, RingDescriptor } from '../ring/index.js';
import type { AudioInput, PushedInput, StreamFailure } from './audio-input.js';
import type { ReportedPhone, ReportedWord } from './word-times.js';

/**
 * A command of the main thread to one speaker of the worker.
 *
 * `serial` numbers the utterances of one speaker: an integer from 1, ascending in the order of speech.
 *
 * - `attach`: write samples into this ring. Its port, if any, is transferred. Before the first `attach`, samples wait
 *   in the spill queue. A second one replaces the first.
 * - `reattach`: another processor continues where the processor behind the message transport's port stopped.
 * - `detach`: samples wait again. Sent before a session of another sample rate.
 * - `enqueue`: add an utterance. `texts` is the text so far; each piece is sent as one message. `more`: the text
 *   continues with `text` commands, the last of which has a `text` of null. `texts: null`: the session brings the
 *   words, as the contexts of its `messages` or, without messages, as audio that the service sends by itself.
 *   `isAudio`: the utterance is an audio stream without texts, which is requested in the same way as a connection.
 *   `pause`: seconds of silence at its end.
 * - `connect`: open a connection with this session, and replace a busy one. Answers the `connection-needed`,
 *   `connection-busy` or `connection-lost` with the same `serial`. Ignored if another utterance needs a connection by
 *   now. `canRenew`: the source can give another session. `lead`: seconds of speech that the listener may need in
 *   advance; null to fail if the connection dies in the middle, and not to speak the rest on another one.
 * - `open-stream`: the audio stream of the utterance in `connection-needed`. Answered by `stream-open` or `stream-failed`.
 * - `play-stream`: the output is ready for the sample rate of that stream, so the stream may be read. Ignored if it is
 *   over by now.
 * - `end`: the utterance gets no more text or audio. What was received still plays. Nothing is reported about it any more.
 * - `cancel`: drop utterances, that is queued text, waiting samples and late frames. Nothing is reported about them any
 *   more. `kept`: the first `samples` of utterance `serial` were heard. They are kept as the complete utterance `as`.
 * - `history`: keep this many seconds of received speech for seeks; 0 before the first command.
 * - `seek`: play kept speech from `target` on, and then the speech that follows; with `only`, nothing but that utterance.
 *   `mark` is the number of the seek in the ring, 0 without a ring. Answered by `sought`.
 * - `forget`: drop speech that was played before utterance `serial`; if there is no such utterance, all speech that was
 *   played.
 * - `read`: return a copy of the kept samples of an utterance, or of all kept samples if `serial` is null. Answered by
 *   `samples`.
 * - `keep-open`: keep the socket open when there is nothing to say. False before the first command.
 * - `renew`: the page wants other sessions, for example with another voice, from utterance `serial` on. A connection whose
 *   session was requested for an earlier one does not speak it.
 * - `close`: close the socket with 1000 at once, and forget the speaker. Its last report is `closed`.
 */
export type SpeakerCommand =
  | { type: 'attach'; ring: RingDescriptor<MessagePort> }
  | { type: 'reattach'; ring: PortRing<MessagePort> }
  | { type: 'detach' }
  | {
      type: 'enqueue';
      serial: number;
      contextId: string;
      texts: readonly string[] | null;
      more: boolean;
      isAudio?: boolean;
      pause?: number;
    }
  | { type: 'text'; serial: number; text: string | null }
  | { type: 'connect'; serial: number; session: PlayableSession; canRenew: boolean; lead: number | null }
  | { type: 'open-stream'; serial: number; input: AudioInput | PushedInput }
  | { type: 'play-stream'; serial: number }
  | { type: 'end'; serial: number }
  | { type: 'cancel'; serials: readonly number[]; kept?: KeptPart }
  | { type: 'history'; seconds: number }
  | { type: 'seek'; number: number; mark: number; target: SeekTarget; only: boolean }
  | { type: 'forget'; serial: number }
  | { type: 'read'; request: number; serial: number | null }
  | { type: 'keep-open'; keepOpen: boolean }
  | { type: 'renew'; serial: number }
  | { type: 'close' };

/** One speaker's channel to the worker. Main thread. */
export interface SpeakerChannel {
  /** Sends a command. Does nothing after `close`. */
  post(command: SpeakerCommand, transfer?: Transferable[]): void;
  /** Closes the speaker's socket with 1000. Only the report `socket-close` may follow. Idempotent. */
  close(): void;
}

/** A channel to a worker whose script may not run yet. Commands wait until it does. */
export interface OpenedChannel extends SpeakerChannel {
  /** Resolves when the script runs; rejects with what to do if it does not start. */
  readonly ready: Promise<void>;
}

/** A place in received speech: `sample` samples into utterance `serial`. */
export interface TapePlace {
  readonly serial: number;
  readonly sample: number;
}

/** A sample, the end of the utterance with the serial `after`, or (`fresh`) the first sample that was never in a ring. */
export type SeekTarget = { readonly at: TapePlace } | { readonly after: number } | 'fresh';

/** A quiet part of received speech, samples `from` to `to` of utterance `serial`. */
export interface QuietRange {
  readonly serial: number;
  readonly from: number;
  readonly to: number;
}

/** The first samples of a cancelled utterance, which were heard. */
export interface KeptPart {
  readonly serial: number;
  readonly samples: number;
  /** Serial of the utterance that they become. */
  readonly as: number;
}

/** A command with the number of its speaker: one worker serves all speakers of a page. The first is `open`. */
export type WorkerCommand = (SpeakerCommand | { type: 'open' }) & { speaker: number };

/** Reason why utterances get no more audio from a service. */
export type FailureCause =
  /** The browser refuses to open the URL; `message` is the browser's. */
  | { type: 'url-refused'; message: string }
  /** The socket ended too early; `opened` is false if it was never open. */
  | { type: 'socket-ended'; opened: boolean; code: number; reason: string }
  /**
   * The service sent nothing for `seconds`, though speech was expected. `wasIdle`: on a socket that was kept open. `lack`
   * describes a text without audio, and is empty for any other.
   */
  | { type: 'service-silent'; seconds: number; wasIdle: boolean; lack: string }
  /** The service sent an `error` message. */
  | { type: 'service-error'; message: string }
  /** A message of the service does not fit the session's dialect. */
  | { type: 'misfit'; problem: string }
  /** More audio waits to be played than the `minutes` that the worker may hold. */
  | { type: 'overflow'; minutes: number };

/** The worker's counters of one speaker, since `open`. */
export interface ConnectionCounters {
  /** Bytes of binary frames and audio streams, headers included. */
  readonly bytesReceived: number;
  /** Binary frames, including those without audio. */
  readonly framesReceived: number;
  /** Frames with an unknown version byte (played all the same), and frames with audio that belongs to no context. */
  readonly framesMalformed: number;
  /** Missing frames, counted by the sequence numbers of the headers. */
  readonly sequenceGaps: number;
  /** Text messages that are not JSON, of an unknown type, or about a context that is not being spoken. */
  readonly messagesIgnored: number;
  /** Times of words and sounds that are none, go back, or lie outside the text or the speech. */
  readonly timingsMalformed: number;
  /** Samples of utterances that were not cancelled. */
  readonly samplesReceived: number;
  /** Samples that wait in the worker now, because the ring is full or not attached yet. */
  readonly spilledSamples: number;
  /** The oldest sample that is kept, and the end of the newest utterance; null if nothing is kept. */
  readonly oldest: TapePlace | null;
  readonly newest: TapePlace | null;
  /** Quiet parts found since the last report. */
  readonly quiet: readonly QuietRange[];
  /** Byte order of the frame headers, inferred from their sequence numbers. */
  readonly byteOrder: 'big' | 'little' | 'unknown';
  /** Version byte of the latest frame; null before the first. */
  readonly protocolVersion: number | null;
  /** Total time that sockets of this speaker have been open, in ms. */
  readonly socketOpenMs: number;
}

/**
 * A fact that the worker reports about one speaker.
 *
 * - `connection-needed`: the utterance `serial` is next, and there is no connection. If it has audio, the service or its
 *   socket has ended it before its text, and the rest needs another connection.
 * - `connection-busy`: like `connection-needed`, but there is a connection on which cancelled speech still arrives. The
 *   connection stays until it is free or a `connect` arrives.
 * - `connection-lost`: a connection ended before the first of these utterances had any audio from it. They wait, in this
 *   order, for a `connect` for the first of them, or for a `cancel` or `end`.
 * - `resuming`: the connection has died in the middle of an utterance whose words have times. Its first `words` words and
 *   `samples` samples stay. `connection-needed` follows, for the rest of its text.
 * - `resumed`: the first samples of that rest have arrived. It begins at the offset `from` of what is spoken.
 * - `stream-open`: the sample rate of an audio stream is known. The stream waits for `play-stream`.
 * - `stream-close`: an audio stream is over, complete or not.
 * - `first-audio`: the first frame with audio of the utterance arrived at `atMs`, in ms since the epoch.
 * - `context-done`: the service reports that a context is finished. `contextId` is that of the message or, if it has
 *   none, that of the context that it ends.
 * - `timings`: words of the utterance, in order, and their sounds. `index` is the number of words before them; words from
 *   there on that were reported earlier are void.
 * - `received`: all of the utterance was received, `samples` in total.
 * - `failed`: these utterances get no more audio. The audio received so far still plays. `sent` is the number of pieces
 *   of text of each that were sent.
 * - `stream-failed`: the audio stream of this utterance gives no more audio. What was received still plays.
 * - `sought`: the speech requested by the seek `number` is on its way to the ring. `isKept` is false if it is no longer
 *   kept; speech that was never in a ring is on its way instead.
 * - `samples`: the answer to `read`; `samples` is null if part of the utterance is no longer kept.
 * - `socket-close`: a socket is closed. `openMs` is the time that it was open, 0 if it never was.
 * - `counters`: sent with the first audio of an utterance, then while the counters change, at most every 100 ms, and
 *   before `failed`, `stream-failed` and `socket-close`.
 * - `closed`: the speaker's socket is closed too. The last report.
 */
export type SpeakerFact =
  | { type: 'connection-needed'; serial: number }
  | { type: 'connection-busy'; serial: number }
  | { type: 'connection-lost'; serials: readonly number[]; cause: FailureCause }
  | { type: 'resuming'; serial: number; words: number; samples: number }
  | { type: 'resumed'; serial: number; from: number }
  | { type: 'socket-open' }
  | { type: 'stream-open'; serial: number; sampleRate: number }
  | { type: 'stream-close' }
  | { type: 'first-audio'; serial: number; atMs: number }
  | { type: 'context-done'; contextId: string }
  | { type: 'timings'; serial: number; index: number; words: readonly ReportedWord[]; phones: readonly ReportedPhone[] }
  | { type: 'received'; serial: number; samples: number }
  | { type: 'failed'; serials: readonly number[]; sent: readonly number[]; cause: FailureCause }
  | { type: 'stream-failed'; serial: number; cause: StreamFailure }
  | { type: 'sought'; number: number; isKept: boolean }
  | { type: 'samples'; request: number; samples: Int16Array<ArrayBuffer> | null; sampleRate: number }
  | { type: 'socket-close'; code: number; reason: string; openMs: number }
  | { type: 'counters'; counters: ConnectionCounters }
  | { type: 'closed' };

/** A fact with the number of its speaker; `ready`: the worker's script runs. */
export type WorkerReport = { type: 'ready' } | (SpeakerFact & { speaker: number });
