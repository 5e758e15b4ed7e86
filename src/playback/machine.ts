import { SpeakerError } from '../base/speaker-error.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import { fitContexts } from '../sessions/session-contexts.js';
import type { SessionReason } from '../sessions/session-reason.js';
import type { TapePlace } from '../connection/command.js';
import type { PlayoutEvent } from '../ring/index.js';
import { INITIAL_STATE, NetworkState, type PlaybackState, type QueuedUtterance, ReadyState } from './state.js';
import { placed, seekableRange } from './timeline.js';
import { type Effect, type HistoryRules, type MachineEvent, type Position, Turn } from './turn.js';

/** Minimum time between two `progress` events. HTML asks for one about every 350 ms. */
const PROGRESS_MS = 350;

/** Prefix of default context ids. The first is `turn-1`, as in the session request's default; the next is `turn-2`. */
const CONTEXT_PREFIX = 'turn-';

/** An utterance that the page asks for. */
export interface NewUtterance {
  /** Undefined for the next default id. */
  readonly contextId?: string | undefined;
  readonly words: QueuedUtterance['words'];
  readonly hasText: boolean;
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
  | { type: 'output-blocked' }
  | { type: 'node-opened' }
  /** `key` identifies the kind of node that the session needs. */
  | { type: 'session'; serial: number; session: PlayableSession; key: string; reason: SessionReason }
  | { type: 'session-failed'; error: SpeakerError }
  | { type: 'connection-needed'; serial: number }
  | { type: 'socket-open' }
  | { type: 'stream-open'; serial: number; sampleRate: number; key: string }
  | { type: 'stream-close' }
  | { type: 'socket-close'; code: number; reason: string; openMs: number }
  | { type: 'first-audio'; serial: number; atMs: number }
  | { type: 'received'; serial: number; samples: number }
  | { type: 'context-done'; contextId: string }
  | { type: 'failed'; serials: readonly number[]; error: SpeakerError }
  | { type: 'progress'; nowMs: number; oldest: TapePlace | null; newest: TapePlace | null }
  | { type: 'sought'; number: number }
  | { type: 'timeupdate' }
  /** An event of the audio thread, delayed until the listener hears it. */
  | { type: 'heard'; event: PlayoutEvent };

/**
 * The playback state machine: computes the next state and the effects of one input.
 *
 * Pure: no clock, no promise, no callback. The shell (`Playback`) runs the effects in order, except that it cancels first.
 *
 * @param position - Current position, which the audio thread knows and the machine does not.
 * @param history - Null until it is loaded; until then, seeks have no effect.
 */
export function step(
  state: PlaybackState,
  input: PlaybackInput,
  position: Position,
  history: HistoryRules | null,
): { state: PlaybackState; effects: readonly Effect[] } {
  const turn = new Turn(state, position, history);
  take(turn, input);
  connectPending(turn);
  return turn.finish();
}

function take(turn: Turn, input: PlaybackInput): void {
  switch (input.type) {
    case 'play':
      return play(turn, input.utterance);
    case 'pause':
      return pause(turn);
    case 'speak': {
      const { mode } = turn.state;
      const isHeld = mode === 'paused' && turn.hasSpeech;
      add(turn, 'speak', input.utterance);
      // While sound is playing, worker and output are open.
      if (mode === 'playing') enqueue(turn, ({ serial }) => serial === 0);
      else if (!isHeld) turn.resume();
      return;
    }
    case 'first-text':
      for (const one of turn.state.utterances) if (one.id === input.id) turn.update({ ...one, hasText: true });
      return;
    case 'text-failed': {
      const failed = turn.state.utterances.filter(({ id, isReplay }) => id === input.id && !isReplay);
      return fail(
        turn,
        failed,
        input.error,
        failed.filter(({ hasText }) => !hasText),
      );
    }
    case 'cancel':
      return cancel(turn, input.ids, input.message);
    case 'seek':
      return turn.history?.seek(turn, input.seconds);
    case 'replay':
      return turn.history?.replay(turn, input.id);
    case 'clear-history':
      return turn.history?.clear(turn);
    case 'source-changed':
      turn.state.isSourceNew = true;
      return;
    case 'close':
      return close(turn);
    case 'load':
      close(turn);
      return turn.load();
    case 'gesture':
      if (turn.state.mode === 'blocked' && turn.hasSpeech) turn.resume();
      return;
    case 'opened':
      return opened(turn, input.isAllowed);
    case 'output-failed':
      turn.state.isOpening = false;
      turn.state.node = turn.state.node?.isOpen ? turn.state.node : null;
      turn.effects.push({ do: 'release-session', onlyUnneeded: true });
      return fail(turn, turn.state.utterances, input.error, turn.state.utterances);
    case 'output-moving':
      return turn.wait();
    case 'output-blocked':
      if (turn.state.mode === 'waiting' || turn.state.mode === 'playing') block(turn);
      return;
    case 'node-opened':
      if (turn.state.node) turn.state.node = { ...turn.state.node, isOpen: true };
      return;
    case 'session':
      return takeSession(turn, input);
    case 'session-failed':
      return fail(
        turn,
        turn.state.utterances.filter(({ firstAudioMs }) => firstAudioMs === 0),
        input.error,
      );
    case 'connection-needed': {
      const needing = turn.findFresh(input.serial);
      if (!needing) return;
      if (needing.words === 'audio') {
        turn.effects.push({ do: 'open-stream', serial: input.serial, id: needing.id });
        return;
      }
      turn.effects.push({ do: 'request-session', serial: input.serial, reason: needing.origin });
      return;
    }
    case 'socket-open':
      return turn.connected();
    case 'stream-open': {
      const { serial, sampleRate, key } = input;
      if (!turn.findFresh(serial)) return;
      turn.state.pending = { serial, sampleRate, key, isStream: true };
      return turn.connected();
    }
    case 'stream-close':
      return turn.disconnected();
    case 'socket-close':
      turn.disconnected();
      return dispatch(turn, { type: 'socketclose', code: input.code, reason: input.reason, openMs: input.openMs });
    case 'first-audio': {
      const begun = turn.findFresh(input.serial);
      if (!begun) return;
      turn.update({ ...begun, firstAudioMs: input.atMs });
      return turn.canPlay(ReadyState.futureData);
    }
    case 'received':
      return received(turn, input.serial, input.samples);
    case 'context-done':
      return dispatch(turn, { type: 'contextdone', contextId: input.contextId });
    case 'failed':
      return fail(
        turn,
        turn.state.utterances.filter(({ serial, isReplay }) => !isReplay && input.serials.includes(serial)),
        input.error,
      );
    case 'sought':
      return turn.history?.sought(turn, input.number);
    case 'progress':
      noteKept(turn, input);
      if (turn.state.networkState !== NetworkState.loading) return;
      if (input.nowMs - turn.state.progressAtMs < PROGRESS_MS) return;
      turn.state.progressAtMs = input.nowMs;
      return turn.dispatch('progress');
    case 'timeupdate':
      return turn.dispatch('timeupdate');
    case 'heard':
      return hear(turn, input.event);
  }
}

function hear(turn: Turn, event: PlayoutEvent): void {
  switch (event.event) {
    case 'playing':
      return turn.play();
    case 'start': {
      const utterance = turn.find(event.serial);
      if (!utterance || (utterance.from > 0 && (utterance.isReplay || utterance.reached > 0))) return;
      dispatch(turn, { type: 'utterancestart', id: utterance.id });
      turn.effects.push({ do: 'start', utterance });
      return;
    }
    case 'end':
      return finish(turn, event.serial);
    case 'stalled':
      return turn.wait();
    case 'underrun':
      return dispatch(turn, { type: 'underrun', durationMs: event.durationMs });
    case 'drained':
      return drained(turn);
  }
}

function dispatch(turn: Turn, event: MachineEvent): void {
  turn.effects.push({ do: 'dispatch', event });
}

// --- calls by the page

function play(turn: Turn, utterance: NewUtterance): void {
  const { mode, isSourceNew, oldest } = turn.state;
  const kept = mode === 'ended' && !isSourceNew ? seekableRange(turn.state) : null;
  // HTML would seek to the start. Without a history, `play()` starts another stream instead.
  const isRestart = mode === 'ended' && !turn.hasSpeech && oldest === null;
  if (kept && !turn.hasSpeech) {
    turn.history?.seek(turn, kept.start);
  } else if (!turn.hasSpeech) {
    if (isRestart) turn.restart();
    add(turn, 'play', utterance);
  }
  turn.resume();
  if (isRestart) turn.dispatch('timeupdate', 'seeked');
}

function pause(turn: Turn): void {
  const { mode } = turn.state;
  if (mode === 'blocked' && turn.hasSpeech) turn.hold('paused');
  if (mode !== 'waiting' && mode !== 'playing') return;
  turn.hold('paused');
  turn.effects.push({ do: 'settle-plays', error: aborted('play() was interrupted by pause().') });
}

function add(turn: Turn, origin: QueuedUtterance['origin'], { contextId, words, hasText }: NewUtterance): void {
  turn.begin();
  turn.state.isSourceNew = false;
  const name = contextId ?? `${CONTEXT_PREFIX}${++turn.state.lastContext}`;
  turn.state.utterances = [...turn.state.utterances, makeUtterance(turn, name, origin, words, hasText)];
}

function makeUtterance(
  turn: Turn,
  contextId: string,
  origin: QueuedUtterance['origin'],
  words: QueuedUtterance['words'],
  hasText: boolean,
): QueuedUtterance {
  const id = ++turn.state.lastId;
  const queued = { id, serial: 0, contextId, origin, words, hasText, firstAudioMs: 0, seconds: null, failure: null };
  return { ...queued, start: null, from: 0, reached: 0, isReplay: false };
}

function cancel(turn: Turn, ids: readonly number[] | null, message: string): void {
  const reason = aborted(message);
  const { head } = turn;
  // The utterance of a replay is over. A replay can be cancelled only while it is playing.
  const wanted = turn.state.utterances.filter(
    ({ id, isReplay }) => ids === null || (ids.includes(id) && (!isReplay || id === head?.id)),
  );
  if (!drop(turn, wanted, reason)) return;
  if (turn.hasSpeech) {
    if (head?.isReplay && turn.head?.id !== head.id) turn.history?.seek(turn, head.start! + head.seconds!);
    return;
  }
  turn.effects.push({ do: 'forget-unheard' }, { do: 'release-session', onlyUnneeded: false });
  stop(turn);
  turn.effects.push({ do: 'settle-plays', error: reason });
}

function close(turn: Turn): void {
  const reason = aborted('The speaker was closed.');
  for (const { id, isReplay } of turn.state.utterances) {
    if (!isReplay) turn.effects.push({ do: 'settle', id, error: reason });
  }
  // Before the events, as in HTML.
  turn.effects.push({ do: 'settle-plays', error: reason });
  const { networkState, lastSerial, lastId } = turn.state;
  Object.assign(turn.state, INITIAL_STATE, { lastSerial, lastId });
  if (networkState === NetworkState.empty) return;
  turn.effects.push({ do: 'discard-events' });
  turn.dispatch('emptied');
  if (turn.position.counted > 0) turn.dispatch('timeupdate');
}

// --- start of playback

/** Hands waiting utterances to the worker if the browser allows sound; blocks if not. */
function opened(turn: Turn, isAllowed: boolean): void {
  turn.state.isOpening = false;
  if (!isAllowed) turn.effects.push({ do: 'release-session', onlyUnneeded: true });
  if (turn.state.mode !== 'waiting' && turn.state.mode !== 'playing') return;
  if (isAllowed) enqueue(turn, ({ serial }) => serial === 0);
  else block(turn);
}

/** Gives the wanted utterances their serials, in the order of speech, and hands them to the worker. */
function enqueue(turn: Turn, wanted: (utterance: QueuedUtterance) => boolean): void {
  const fresh: QueuedUtterance[] = [];
  turn.state.utterances = turn.state.utterances.map((one) => {
    if (!wanted(one)) return one;
    const numbered = { ...one, serial: ++turn.state.lastSerial };
    fresh.push(numbered);
    return numbered;
  });
  if (fresh.length > 0) turn.effects.push({ do: 'enqueue', utterances: fresh });
}

/** Waits for a gesture. Drops utterances of `play()` that the worker does not have yet; those of `speak()` wait. */
function block(turn: Turn): void {
  const error = new DOMException(
    'The browser plays no sound before the user has touched the page. Call play() from a click or key press.',
    'NotAllowedError',
  );
  const begun = turn.state.utterances.filter(({ origin, serial }) => origin === 'play' && serial === 0);
  turn.remove(begun.map(({ id }) => id));
  for (const { id } of begun) turn.effects.push({ do: 'settle', id, error });
  turn.hold('blocked');
  turn.dispatch('blocked');
  turn.effects.push({ do: 'settle-plays', error }, { do: 'await-gesture' });
}

/** Takes the session that is held for an utterance: queues the contexts that it brings, then waits for its node. */
function takeSession(turn: Turn, input: Extract<PlaybackInput, { type: 'session' }>): void {
  const { serial, session, key } = input;
  const asking = turn.findFresh(serial);
  if (!asking || asking.firstAudioMs > 0) return;
  const from = turn.state.utterances.indexOf(asking);
  const isRetry = input.reason === 'retry';
  const messages = isRetry ? unheardMessages(turn, session) : session.messages;
  const rest = turn.state.utterances.slice(from);
  const { placeholders, contextIds } = fitContexts(messages, rest);
  if (placeholders > 0 && session.messages.length === 0 && !session.isBareUrl) {
    return refuseSilence(turn, rest.slice(0, placeholders));
  }
  const brought =
    contextIds?.map((id) => makeUtterance(turn, id, asking.origin, 'session', false)) ?? rest.slice(0, placeholders);
  turn.state.brought = [...(isRetry ? turn.state.brought : []), ...brought];
  turn.effects.push({ do: 'hold-session', session: { ...session, messages } });
  if (!contextIds) {
    turn.state.pending = { serial, sampleRate: session.sampleRate, key, isStream: false };
    return;
  }
  // The other threads take utterances in the order of their serials, so the later ones get new serials. The worker will
  // ask for a connection for the first of them.
  const later = rest.slice(placeholders);
  const withdrawn = rest.map((one) => one.serial).filter((one) => one !== 0);
  turn.effects.push({ do: 'cancel', serials: withdrawn });
  // Only the queue refers to the placeholders.
  for (const { id } of rest.slice(0, placeholders)) turn.effects.push({ do: 'settle', id });
  turn.state.utterances = [...turn.state.utterances.slice(0, from), ...brought, ...later];
  enqueue(turn, (one) => brought.includes(one) || (later.includes(one) && one.serial !== 0));
}

/** Rejects a `play()` without text whose session brings none. No socket is opened, because no audio would come. */
function refuseSilence(turn: Turn, utterances: readonly QueuedUtterance[]): void {
  const error = new DOMException('There is nothing to say. Set text, or call speak().', 'InvalidStateError');
  drop(turn, utterances, error);
  if (turn.hasSpeech) return;
  turn.effects.push({ do: 'release-session', onlyUnneeded: false }, { do: 'settle-plays', error });
  stop(turn);
}

/** Returns the messages of a fresh session, without contexts that were heard before or are no longer wanted. */
function unheardMessages(turn: Turn, { messages }: PlayableSession): PlayableSession['messages'] {
  const { brought, utterances } = turn.state;
  const isOver = ({ id }: { id: number }): boolean =>
    !utterances.some((one) => one.id === id && one.firstAudioMs === 0);
  const over = brought.filter(isOver).map(({ contextId }) => contextId);
  return messages.filter((message) => !over.includes(message.context_id));
}

/**
 * Opens the connection of the pending session, or reads the pending audio stream, once its node may be opened. If a
 * node of another kind is open, that node must first have played everything. Samples wait in the worker until the new
 * node is open.
 */
function connectPending(turn: Turn): void {
  const { pending, node } = turn.state;
  if (!pending) return;
  const { serial, key, sampleRate, isStream } = pending;
  if (!turn.find(serial)) {
    turn.state.pending = null;
    return;
  }
  if (node?.key !== key) {
    if (node) {
      if (!node.isOpen || turn.head?.serial !== serial) return;
      turn.effects.push({ do: 'close-node' });
      turn.wait();
    }
    turn.state.node = { key, isOpen: false };
    turn.effects.push({ do: 'open-node', sampleRate });
  }
  turn.state.pending = null;
  turn.state.sampleRate = sampleRate;
  turn.effects.push({ do: isStream ? 'play-stream' : 'connect', serial });
}

// --- end of playback

/** Stores the worker's report of the range that it keeps. */
function noteKept(turn: Turn, { oldest, newest }: Pick<PlaybackState, 'oldest' | 'newest'>): void {
  turn.state.oldest = oldest;
  turn.state.newest = newest;
  const { past } = turn.state;
  const first = oldest ? past.findIndex(({ serial }) => serial === oldest.serial) : past.length;
  if (first > 0) turn.state.past = past.slice(first);
}

/** Handles the complete reception of an utterance. */
function received(turn: Turn, serial: number, samples: number): void {
  const utterance = turn.findFresh(serial);
  if (!utterance) return;
  // If there is no sample, there may have been no session and so no sample rate.
  turn.update({ ...utterance, seconds: samples && samples / turn.state.sampleRate });
  // As in HTML, the last `progress` is not delayed. Listeners that read `seekable` on `progress` would miss its end.
  if (samples > 0) turn.dispatch('progress');
  turn.complete();
  finishSilent(turn);
  if (!turn.hasSpeech && turn.state.mode !== 'playing') drained(turn);
}

/** Ends an utterance whose last sample has been heard. */
function finish(turn: Turn, serial: number): void {
  const utterance = turn.find(serial);
  if (!utterance) return;
  const { id, failure, isReplay } = utterance;
  const isHead = id === turn.head?.id;
  if (isReplay && !isHead) return;
  const { newest, sampleRate, replaying } = turn.state;
  // The worker has reported how much of a failed utterance it received.
  const seconds = utterance.seconds ?? (newest?.serial === serial ? newest.sample / sampleRate || null : null);
  turn.remove([id]);
  if (seconds !== null) turn.pass(utterance, seconds, isHead);
  else if (isHead) turn.cut();
  dispatch(turn, { type: 'utteranceend', id });
  if (!isReplay) turn.effects.push({ do: 'settle', id, ...(failure && { error: failure }) });
  finishSilent(turn);
  if (replaying !== id) return;
  turn.state.replaying = null;
  if (turn.hasSpeech) turn.hold('paused');
  // Without this seek, the worker writes nothing after the replayed utterance, not even new speech.
  turn.history?.goTo(turn, turn.state.timeline.past, false);
  // The seek has dropped the event of the audio thread.
  if (!turn.hasSpeech) drained(turn);
}

/** Ends the first utterance if it has no samples: the audio thread has no mark for its end. */
function finishSilent(turn: Turn): void {
  if (turn.head?.seconds === 0) finish(turn, turn.head.serial);
}

/** Waits for more speech, or ends, after everything received has been heard. */
function drained(turn: Turn): void {
  const { mode, endsInError } = turn.state;
  if (turn.hasSpeech) turn.wait();
  else if (mode === 'waiting' || mode === 'playing' || mode === 'paused') {
    if (endsInError) breakOff(turn);
    else turn.end();
  }
}

/** Stops with an error: more speech was wanted, but none follows. */
function breakOff(turn: Turn): void {
  stop(turn);
  turn.effects.push({
    do: 'settle-plays',
    error: new DOMException(turn.state.error?.message ?? '', 'NotSupportedError'),
  });
}

/** Goes idle because nothing is left to play. */
function stop(turn: Turn): void {
  turn.complete();
  turn.hold('idle');
}

/**
 * Removes utterances from the queue and silences them.
 *
 * @returns False if they were over already.
 */
function drop(turn: Turn, utterances: readonly QueuedUtterance[], reason: unknown): boolean {
  const dropped = turn.state.utterances.filter((one) => utterances.some(({ id }) => id === one.id));
  const [first] = dropped;
  if (!first) return false;
  const replays = dropped.filter(({ isReplay }) => isReplay);
  const fresh = dropped.filter(({ isReplay }) => !isReplay);
  const list = placed(turn.state);
  const begun = fresh.find(({ firstAudioMs }) => firstAudioMs > 0);
  const start = list.find(({ utterance }) => utterance.id === begun?.id)?.start;
  if (first.id === turn.head?.id && first.firstAudioMs > 0 && !first.isReplay) turn.cut();
  const isHead = begun && begun.id === turn.head?.id;
  turn.remove(dropped.map(({ id }) => id));
  for (const one of replays) turn.keep(one);
  const last = replays.at(-1);
  if (last && first.isReplay) turn.moveTo(last.start! + last.seconds!, last.start! + last.seconds!);
  // The kept part would lie before a replay that goes on.
  const isLast = begun && start !== undefined && !turn.head?.isReplay;
  const kept = (isLast && turn.history?.keepHeard(turn, begun, start, isHead ? turn.state.timeline.past : 0)) || null;
  const serials = fresh.map(({ serial }) => serial).filter((serial) => serial !== 0);
  if (serials.length > 0) turn.effects.push({ do: 'cancel', serials, ...(kept && { kept }) });
  for (const { id } of fresh) turn.effects.push({ do: 'settle', id, error: reason });
  // Before the last seek, it may have been heard beyond the current position.
  const end = turn.history?.endOfPast(turn) ?? 0;
  const isBehind = kept !== null && end > turn.state.timeline.past;
  if (isBehind) turn.moveTo(end, end);
  if (isBehind || (replays.length > 0 && !turn.hasSpeech)) turn.history?.goTo(turn, end, false);
  turn.complete();
  return true;
}

/**
 * Marks utterances as failed because they get no more audio.
 *
 * @param dropped - Those of them that will not be heard at all.
 */
function fail(
  turn: Turn,
  utterances: readonly QueuedUtterance[],
  error: SpeakerError,
  dropped: readonly QueuedUtterance[] = utterances.filter(({ firstAudioMs }) => firstAudioMs === 0),
): void {
  if (utterances.length === 0) return;
  const last = turn.state.utterances.at(-1);
  turn.state.endsInError ||= utterances.some(({ id }) => id === last?.id);
  for (const one of utterances) turn.update({ ...one, failure: error });
  turn.fail(error);
  drop(turn, dropped, error);
  if (!turn.hasSpeech && turn.state.mode !== 'playing') breakOff(turn);
}

function aborted(message: string): Error {
  return new DOMException(message, 'AbortError');
}
