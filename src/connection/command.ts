import type { ClientMessage } from '../protocol/index.js';
import type { PortRing, RingDescriptor } from '../ring/index.js';

/** A session as the worker needs it: interface-spec 2.2 without what only the main thread looks at. */
export interface SpeechSession {
  /** `wss:` URL with its short-lived token. */
  readonly url: string;
  /** Samples per second of the audio on the socket. */
  readonly sampleRate: number;
  /** Sent in order as soon as the socket is open. */
  readonly messages: readonly ClientMessage[];
}

/**
 * What the main thread asks of the worker.
 *
 * One worker serves all speakers of a page, so each command names its speaker: a number the main thread gives out.
 * `serial` numbers the utterances of one speaker: an integer from 1, ascending in the order they are spoken.
 *
 * - `open` makes a speaker; it comes first.
 * - `attach` names the ring that samples go into; its port, if any, is transferred. Until then they wait in the spill queue. A second one replaces the first.
 * - `reattach`: another processor goes on where the one behind the message transport's port has stopped.
 * - `detach` gives that up: samples wait again. For a session at another rate, before its `session`.
 * - `enqueue` adds an utterance. `texts` is what there is of its text, each sent as a message of its own, and `more` says
 *   whether it goes on with `text`, the last one null. `texts: null` is one that the session itself brings: the contexts of its
 *   `messages` or, when it has none, whatever the service sends unasked.
 * - `session` and `session-failed` answer the `session-needed` report that named the same `serial`; any other answer
 *   comes too late and is ignored. After `session-failed` the utterance is forgotten without a report: the main thread
 *   knows already.
 * - `cancel` drops utterances: queued text, waiting samples, late frames. Nothing is reported about them any more.
 * - `keep-open`: whether the socket stays when there is nothing left to say. False at first.
 * - `retryable`: how often an utterance that got no audio yet may be tried again with a fresh session. 0 at first.
 * - `close` closes the socket with 1000 at once and forgets the speaker; the last report about it is `closed`.
 */
export type SessionCommand =
  | { type: 'open'; speaker: number }
  | { type: 'attach'; speaker: number; ring: RingDescriptor<MessagePort> }
  | { type: 'reattach'; speaker: number; ring: PortRing<MessagePort> }
  | { type: 'detach'; speaker: number }
  | {
      type: 'enqueue';
      speaker: number;
      serial: number;
      contextId: string;
      texts: readonly string[] | null;
      more: boolean;
    }
  | { type: 'text'; speaker: number; serial: number; text: string | null }
  | { type: 'session'; speaker: number; serial: number; session: SpeechSession }
  | { type: 'session-failed'; speaker: number; serial: number }
  | { type: 'cancel'; speaker: number; serials: readonly number[] }
  | { type: 'keep-open'; speaker: number; keepOpen: boolean }
  | { type: 'retryable'; speaker: number; retries: number }
  | { type: 'close'; speaker: number };

/**
 * Why utterances get no more audio.
 *
 * `socket-failed`: it never opened. `socket-closed`: it opened and ended too early, or nothing came for too long.
 * `service-error`: the service sent an `error` message. `overflow`: more audio waits than the spill queue may hold.
 */
export type SessionFailure = 'socket-failed' | 'socket-closed' | 'service-error' | 'overflow';

/** What the worker has counted for one speaker since `open`. */
export interface SessionCounters {
  /** Bytes of binary frames, headers included. */
  readonly bytesReceived: number;
  /** Binary frames, those without audio included. */
  readonly framesReceived: number;
  /** Frames with an unknown version byte (played all the same) and frames with audio that belongs to no context. */
  readonly framesMalformed: number;
  /** Frames missing by the sequence numbers of their headers. */
  readonly sequenceGaps: number;
  /** Text messages that are not JSON, of an unknown type, or about a context that is not being spoken. */
  readonly messagesIgnored: number;
  /** Samples of utterances that were not cancelled. */
  readonly samplesReceived: number;
  /** Samples that wait in the worker now, because the ring is full or not there yet. */
  readonly spilledSamples: number;
  /** Byte order of the frame headers, as far as their sequence numbers tell. */
  readonly byteOrder: 'big' | 'little' | 'unknown';
  /** Version byte of the latest frame; null before the first. */
  readonly protocolVersion: number | null;
  /** Milliseconds that sockets of this speaker have been open, together. */
  readonly socketOpenMs: number;
}

/**
 * What the worker tells the main thread. `speaker` and `serial` as in {@link SessionCommand}.
 *
 * - `ready`: the worker's script runs. Once.
 * - `session-needed`: a socket is needed and there is no session; `serial` is the utterance that waits for it.
 *   `retry`: a socket failed before that utterance had any audio. Cancelling the utterance withdraws the request.
 * - `first-audio`: the first frame with audio of the utterance came at `atMs`, milliseconds since the epoch
 *   (`performance.timeOrigin + performance.now()`).
 * - `context-done`: the service said so. `contextId` is the message's or, without one, that of the context it settles.
 * - `received`: the utterance is complete, `samples` in all. No more of it will come.
 * - `failed`: these utterances get no more audio; what they have still plays. `detail` is what only the worker knows: the
 *   words of the browser that refuses the URL, those of the service, the minutes of audio that may wait, the seconds that
 *   the service was silent; may be empty.
 *   `closeCode` is null unless it was the socket that ended.
 * - `socket-close`: `openMs` is how long it was open, 0 if it never was.
 * - `counters`: while they change, at most every 100 ms, and before `socket-close`.
 * - `closed`: the speaker's socket is gone too; nothing follows.
 */
export type SessionReport =
  | { type: 'ready' }
  | { type: 'session-needed'; speaker: number; reason: 'speak' | 'retry'; serial: number }
  | { type: 'socket-open'; speaker: number }
  | { type: 'first-audio'; speaker: number; serial: number; atMs: number }
  | { type: 'context-done'; speaker: number; contextId: string }
  | { type: 'received'; speaker: number; serial: number; samples: number }
  | {
      type: 'failed';
      speaker: number;
      serials: readonly number[];
      reason: SessionFailure;
      detail: string;
      closeCode: number | null;
    }
  | { type: 'socket-close'; speaker: number; code: number; reason: string; openMs: number }
  | { type: 'counters'; speaker: number; counters: SessionCounters }
  | { type: 'closed'; speaker: number };

/** A report about one speaker, without its number. */
export type SpeakerFact = WithoutSpeaker<Exclude<SessionReport, { type: 'ready' }>>;

/** A failure in words for people: `message` says what happened and what to do. */
export interface SpeakerFailure {
  type: 'failed';
  serials: readonly number[];
  reason: SessionFailure;
  message: string;
  closeCode?: number;
  retryable: boolean | 'unknown';
}

/** A report about one speaker as the main thread hears it. */
export type SpeakerReport = Exclude<SpeakerFact, { type: 'failed' }> | SpeakerFailure;

/** A command to one speaker, without its number. */
export type SpeakerCommand = WithoutSpeaker<SessionCommand>;

type WithoutSpeaker<T> = T extends unknown ? Omit<T, 'speaker'> : never;
