import { SpeakerError } from '../base/speaker-error.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import { fitContexts } from '../sessions/session-contexts.js';
import type { SessionReason } from '../sessions/session-reason.js';
import type { TapePlace } from '../connection/command.js';
import type { PlayoutEvent } from '../ring/index.js';
import { INITIAL_STATE, NetworkState, type PlaybackState, type QueuedUtterance, ReadyState } from './state.js';
import { placed, seekableRange } from './timeline.js';
import { type Effect, type HistoryRules, type MachineEvent, type Position, Turn } from './turn.js';

/** HTML asks for a `progress` about every 350 ms. */
const PROGRESS_MS = 350;

/** Context of the first utterance, as in the session request's default; the next is `turn-2`. */
const CONTEXT_PREFIX = 'turn-';

/** An utterance that the page asks for. */
export interface NewUtterance {
  /** Undefined for the next default name. */
  readonly contextId?: string | undefined;
  readonly words: QueuedUtterance['words'];
  readonly hasText: boolean;
}

/** A call of the page, a fact from another thread, or time. */
export type PlaybackInput =
  /** `utterance`: the one to begin if nothing is queued. */
  | { type: 'play'; utterance: NewUtterance }
  | { type: 'pause' }
  | { type: 'speak'; utterance: NewUtterance }
  /** A stream has given its first text. */
  | { type: 'first-text'; id: number }
  /** A stream of text has failed. */
  | { type: 'text-failed'; id: number; error: SpeakerError }
  /** `ids`: null for all. */
  | { type: 'cancel'; ids: readonly number[] | null; message: string }
  | { type: 'seek'; seconds: number }
  /** Play one utterance again, and pause at its end. It is kept. */
  | { type: 'replay'; id: number }
  /** Forget what has been heard. */
  | { type: 'clear-history' }
  /** What `play()` speaks is another text, or comes from elsewhere. */
  | { type: 'source-changed' }
  | { type: 'close' }
  /** A source has been set. */
  | { type: 'load' }
  /** The user has touched the page. */
  | { type: 'gesture' }
  /** Worker and output are open; `isAllowed` is false if the browser requires a gesture. */
  | { type: 'opened'; isAllowed: boolean }
  /** Nothing can be played. */
  | { type: 'output-failed'; error: SpeakerError }
  /** Speech moves to another output: no sound until that plays. */
  | { type: 'output-moving' }
  | { type: 'output-blocked' }
  | { type: 'node-opened' }
  /** `key` names the kind of node that the session needs. */
  | { type: 'session'; serial: number; session: PlayableSession; key: string; reason: SessionReason }
  | { type: 'session-failed'; error: SpeakerError }
  | { type: 'connection-needed'; serial: number; reason: SessionReason | null }
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
  /** A fact of the audio thread, at the time at which the listener hears it. */
  | { type: 'heard'; event: PlayoutEvent };

/**
 * The playback state machine: what happens to a speaker, as a function.
 *
 * Pure: no clock, no promise, no callback. The shell (`Playback`) runs the effects in order.
 *
 * @param position - Where playback is; the audio thread knows, the machine does not.
 * @param history - Null until it is loaded; nothing can be sought before.
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
      // While sound is playing, everything is open.
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
      turn.effects.push({ do: 'request-session', serial: input.serial, reason: input.reason ?? needing.origin });
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

// --- calls of the page

function play(turn: Turn, utterance: NewUtterance): void {
  const { mode, isSourceNew, oldest } = turn.state;
  const kept = mode === 'ended' && !isSourceNew ? seekableRange(turn.state) : null;
  // Without a history this is another stream, where HTML would seek to the start.
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
  // A replay is over, so that only what is heard of it can be cancelled.
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

// --- towards sound

/** Worker and output are open: what waits is handed over. */
function opened(turn: Turn, isAllowed: boolean): void {
  turn.state.isOpening = false;
  if (!isAllowed) turn.effects.push({ do: 'release-session', onlyUnneeded: true });
  if (turn.state.mode !== 'waiting' && turn.state.mode !== 'playing') return;
  if (isAllowed) enqueue(turn, ({ serial }) => serial === 0);
  else block(turn);
}

/** Numbers these utterances in the order of speech, and hands them to the worker. */
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

/** The browser requires a gesture. An utterance that `play()` began is dropped; those of `speak()` wait. */
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

/** A session is held for an utterance: takes in the contexts that it brings, then waits for its node. */
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
  // The other threads take utterances in the order of their serials, so those that follow get new ones. The worker will
  // ask for a connection for the first of them.
  const later = rest.slice(placeholders);
  const withdrawn = rest.map((one) => one.serial).filter((one) => one !== 0);
  turn.effects.push({ do: 'cancel', serials: withdrawn });
  // Nobody but the queue knew the placeholders.
  for (const { id } of rest.slice(0, placeholders)) turn.effects.push({ do: 'settle', id });
  turn.state.utterances = [...turn.state.utterances.slice(0, from), ...brought, ...later];
  enqueue(turn, (one) => brought.includes(one) || (later.includes(one) && one.serial !== 0));
}

/** `play()` had no text, and the session brings none: no socket is opened, because nothing would come. */
function refuseSilence(turn: Turn, utterances: readonly QueuedUtterance[]): void {
  const error = new DOMException('There is nothing to say. Set text, or call speak().', 'InvalidStateError');
  drop(turn, utterances, error);
  if (turn.hasSpeech) return;
  turn.effects.push({ do: 'release-session', onlyUnneeded: false }, { do: 'settle-plays', error });
  stop(turn);
}

/** The messages of a fresh session, without the contexts that were heard before or are no longer wanted. */
function unheardMessages(turn: Turn, { messages }: PlayableSession): PlayableSession['messages'] {
  const { brought, utterances } = turn.state;
  const isOver = ({ id }: { id: number }): boolean =>
    !utterances.some((one) => one.id === id && one.firstAudioMs === 0);
  const over = brought.filter(isOver).map(({ contextId }) => contextId);
  return messages.filter((message) => !over.includes(message.context_id));
}

/**
 * Opens the connection of the session that waits, or reads the audio stream that waits, once its node may be opened: a node
 * of another kind must have played everything before. Samples wait in the worker until the node is open.
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

// --- towards the end

/** The worker reports what it keeps. */
function noteKept(turn: Turn, { oldest, newest }: Pick<PlaybackState, 'oldest' | 'newest'>): void {
  turn.state.oldest = oldest;
  turn.state.newest = newest;
  const { past } = turn.state;
  const first = oldest ? past.findIndex(({ serial }) => serial === oldest.serial) : past.length;
  if (first > 0) turn.state.past = past.slice(first);
}

/** All of an utterance was received. */
function received(turn: Turn, serial: number, samples: number): void {
  const utterance = turn.findFresh(serial);
  if (!utterance) return;
  // Without a sample there may have been no session.
  turn.update({ ...utterance, seconds: samples && samples / turn.state.sampleRate });
  // As in HTML, the last one does not wait: what follows `seekable` by this event would stay behind.
  if (samples > 0) turn.dispatch('progress');
  turn.complete();
  finishSilent(turn);
  if (!turn.hasSpeech && turn.state.mode !== 'playing') drained(turn);
}

/** The last sample of an utterance has been heard. */
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
  if (!turn.hasSpeech) return;
  turn.hold('paused');
  turn.history?.goTo(turn, turn.state.timeline.past, false);
}

/** An utterance without sound is over when those before it are: the audio thread has no mark of it. */
function finishSilent(turn: Turn): void {
  if (turn.head?.seconds === 0) finish(turn, turn.head.serial);
}

/** Everything that was received has been heard. */
function drained(turn: Turn): void {
  const { mode, endsInError } = turn.state;
  if (turn.hasSpeech) turn.wait();
  else if (mode === 'waiting' || mode === 'playing' || mode === 'paused') {
    if (endsInError) breakOff(turn);
    else turn.end();
  }
}

/** Nothing follows, though more was wanted. */
function breakOff(turn: Turn): void {
  stop(turn);
  turn.effects.push({
    do: 'settle-plays',
    error: new DOMException(turn.state.error?.message ?? '', 'NotSupportedError'),
  });
}

/** There is nothing left to play. */
function stop(turn: Turn): void {
  turn.complete();
  turn.hold('idle');
}

/**
 * Takes utterances out of the queue, and silences them.
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
  // A replay that goes on would come after it.
  const isLast = begun && start !== undefined && !turn.head?.isReplay;
  const kept = (isLast && turn.history?.keepHeard(turn, begun, start, isHead ? turn.state.timeline.past : 0)) || null;
  const serials = fresh.map(({ serial }) => serial).filter((serial) => serial !== 0);
  if (serials.length > 0) turn.effects.push({ do: 'cancel', serials, ...(kept && { kept }) });
  for (const { id } of fresh) turn.effects.push({ do: 'settle', id, error: reason });
  // It was heard further than it had come after a seek.
  const end = turn.history?.endOfPast(turn) ?? 0;
  const isBehind = kept !== null && end > turn.state.timeline.past;
  if (isBehind) turn.moveTo(end, end);
  if (isBehind || (replays.length > 0 && !turn.hasSpeech)) turn.history?.goTo(turn, end, false);
  turn.complete();
  return true;
}

/**
 * Some utterances get no more audio.
 *
 * @param dropped - Those of them that are not heard at all.
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
