import type { PlayoutEvent } from '../ring/index.js';
import { type Position, Turn } from './turn.js';
import type { Effect, MachineEvent } from './effect.js';
import { clearKept, noteKept, replay, seek, sought } from './history.js';
import { connectPending, takeSession } from './session-rules.js';
import { seekableRange } from './timeline.js';
import {
  hasAudio,
  INITIAL_STATE,
  NetworkState,
  type PlaybackState,
  type QueuedUtterance,
  ReadyState,
} from './state.js';
import type { NewUtterance, PlaybackInput } from './input.js';
import { drained, drop, fail, finish, lose, received, stop } from './ending.js';

/** Prefix of default context ids. The first is `turn-1`, as in the session request's default; the next is `turn-2`. */
const CONTEXT_PREFIX = 'turn-';

/**
 * The playback state machine: computes the next state and the effects of one input.
 *
 * Pure: no clock, no promise, no callback. The loop (`PlaybackLoop`) runs the effects in order.
 *
 * @param position - Current position, which the audio thread knows and the machine does not.
 */
export function step(
  state: PlaybackState,
  input: PlaybackInput,
  position: Position,
): { state: PlaybackState; effects: readonly Effect[] } {
  const turn = new Turn(state, position);
  take(turn, input);
  if (turn.state.pending) connectPending(turn, turn.state.pending);
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
      // While sound is playing, worker and output are open. Only `play()` resumes an output that stands still.
      if (mode === 'playing' || (mode === 'waiting' && turn.state.isStill))
        turn.enqueue(({ phase }) => phase === 'queued');
      else if (!isHeld) turn.resume();
      return;
    }
    case 'first-text':
      for (const one of turn.state.utterances) if (one.id === input.id) turn.update({ ...one, hasText: true });
      return;
    case 'text-failed': {
      const failed = turn.state.utterances.filter(({ id, phase }) => id === input.id && phase !== 'replay');
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
      return seek(turn, input.seconds);
    case 'replay':
      return replay(turn, input.id);
    case 'clear-history':
      return clearKept(turn);
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
      fail(turn, turn.state.utterances, input.error, turn.state.utterances);
      // The audio thread will not report it.
      return drained(turn);
    case 'output-moving':
      return turn.wait();
    case 'output-still':
      return turn.setStill(input.isStill);
    case 'output-blocked':
      if (turn.state.mode === 'waiting' || turn.state.mode === 'playing') block(turn);
      return;
    case 'node-opened':
      if (turn.state.node) turn.state.node = { ...turn.state.node, isOpen: true };
      return;
    case 'session':
      return takeSession(turn, input);
    case 'session-failed':
      return lose(
        turn,
        turn.state.utterances.filter((one) => !hasAudio(one) || one.serial === input.serial),
        input.error,
      );
    case 'connection-needed': {
      const needing = turn.findFresh(input.serial);
      if (!needing) return;
      if (needing.words === 'audio') {
        turn.effects.push({ do: 'open-stream', serial: input.serial, id: needing.id });
        return;
      }
      const reason = hasAudio(needing) ? 'resume' : needing.origin;
      turn.effects.push({ do: 'request-session', serial: input.serial, reason });
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
      if (begun.phase === 'sent') turn.update({ ...begun, phase: 'arriving' });
      return turn.canPlay(ReadyState.futureData);
    }
    case 'received':
      return received(turn, input.serial, input.samples);
    case 'context-done':
      return dispatch(turn, { type: 'contextdone', contextId: input.contextId });
    case 'failed':
      return lose(
        turn,
        turn.state.utterances.filter(({ serial, phase }) => phase !== 'replay' && input.serials.includes(serial)),
        input.error,
      );
    case 'sought':
      return sought(turn, input.number, input.isKept);
    case 'progress':
      return noteKept(turn, input);
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
      if (!utterance || (utterance.from > 0 && (utterance.phase === 'replay' || utterance.reached > 0))) return;
      dispatch(turn, { type: 'utterancestart', id: utterance.id });
      turn.effects.push({ do: 'start', id: utterance.id });
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
    seek(turn, kept.start);
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

function add(turn: Turn, origin: QueuedUtterance['origin'], utterance: NewUtterance): void {
  turn.begin();
  turn.state.isSourceNew = false;
  const name = utterance.contextId ?? `${CONTEXT_PREFIX}${++turn.state.lastContext}`;
  turn.state.utterances = [...turn.state.utterances, turn.makeUtterance(name, origin, utterance)];
}

function cancel(turn: Turn, ids: readonly number[] | null, message: string): void {
  const reason = aborted(message);
  const { head } = turn;
  // The utterance of a replay is over. A replay can be cancelled only while it is playing.
  const wanted = turn.state.utterances.filter(
    ({ id, phase }) => ids === null || (ids.includes(id) && (phase !== 'replay' || id === head?.id)),
  );
  if (!drop(turn, wanted, reason)) return;
  if (turn.hasSpeech) {
    if (head?.phase === 'replay' && turn.head?.id !== head.id) seek(turn, head.start! + head.seconds!);
    return;
  }
  turn.effects.push({ do: 'forget-unheard' }, { do: 'release-session', onlyUnneeded: false });
  stop(turn);
  turn.effects.push({ do: 'settle-plays', error: reason });
}

function close(turn: Turn): void {
  const reason = aborted('The speaker was closed.');
  for (const { id, phase } of turn.state.utterances) {
    if (phase !== 'replay') turn.settle(id, reason);
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
  if (isAllowed) turn.enqueue(({ phase }) => phase === 'queued');
  else block(turn);
}

/** Waits for a gesture. Drops utterances of `play()` that the worker does not have yet; those of `speak()` wait. */
function block(turn: Turn): void {
  const error = new DOMException(
    'The browser plays no sound before the user has touched the page. Call play() from a click or key press.',
    'NotAllowedError',
  );
  const begun = turn.state.utterances.filter(({ origin, phase }) => origin === 'play' && phase === 'queued');
  turn.remove(begun.map(({ id }) => id));
  for (const { id } of begun) turn.settle(id, error);
  turn.hold('blocked');
  turn.dispatch('blocked');
  turn.effects.push({ do: 'settle-plays', error }, { do: 'await-gesture' });
}

function aborted(message: string): Error {
  return new DOMException(message, 'AbortError');
}
