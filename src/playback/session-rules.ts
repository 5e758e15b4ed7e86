/** The rules that lead from a session to its connection, or from an audio stream to its samples. */
import { SpeakerError } from '../base/speaker-error.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import { drop, lose, stop } from './ending.js';
import type { PlaybackInput } from './input.js';
import { hasAudio, type PlaybackState, type QueuedUtterance } from './state.js';
import type { Turn } from './turn.js';

/**
 * Uses the session that has arrived for an utterance: replaces the placeholders by an utterance for each context of the
 * session's messages, and lets the session wait for its audio node. See `fitContexts` for placeholders.
 */
export function takeSession(turn: Turn, input: Extract<PlaybackInput, { type: 'session' }>): void {
  const { serial, session, key } = input;
  const asking = turn.findFresh(serial);
  const isRetry = input.reason === 'retry';
  if (!asking) return;
  if (hasAudio(asking)) {
    if (input.reason === 'resume') takeRest(turn, asking, session);
    return;
  }
  const from = turn.state.utterances.indexOf(asking);
  const messages = isRetry ? unheardMessages(turn, session) : session.messages;
  const rest = turn.state.utterances.slice(from);
  const { placeholders, contextIds } = fitContexts(messages, rest);
  if (placeholders > 0 && session.messages.length === 0 && !session.isBareUrl) {
    return refuseSilence(turn, rest.slice(0, placeholders));
  }
  const brought =
    contextIds?.map((id) => turn.makeUtterance(id, asking.origin, { words: 'session', hasText: false })) ??
    rest.slice(0, placeholders);
  turn.state.brought = [...(isRetry ? turn.state.brought : []), ...brought];
  turn.effects.push({ do: 'hold-session', session: { ...session, messages } });
  if (!contextIds) {
    turn.state.pending = { serial, sampleRate: session.sampleRate, key, isStream: false };
    return;
  }
  // The other threads take utterances in the order of their serials, so the later ones get new serials. The worker will
  // ask for a connection for the first of them.
  const later = rest.slice(placeholders);
  const withdrawn = rest.filter(({ phase }) => phase !== 'queued').map((one) => one.serial);
  turn.cancel(withdrawn);
  // Only the queue refers to the placeholders.
  for (const { id } of rest.slice(0, placeholders)) turn.settle(id);
  turn.state.utterances = [...turn.state.utterances.slice(0, from), ...brought, ...later];
  turn.extend();
  turn.enqueue((one) => brought.includes(one) || (later.includes(one) && one.phase !== 'queued'));
}

/**
 * Finds the utterances that the contexts of a session's `messages` represent.
 *
 * An utterance whose words the session brings is a placeholder until the session arrives, because only its messages
 * show the number and the names of its contexts. Contexts are spoken in the order of their first message, before any
 * other text.
 *
 * @param queue - Queued utterances, beginning with the one for which the session was requested.
 * @returns `placeholders`: number of utterances at the head of `queue` that wait for the session's words. `contextIds`:
 *   names of the utterances that replace them, or null if they stay.
 */
function fitContexts(
  messages: PlayableSession['messages'],
  queue: readonly QueuedUtterance[],
): { placeholders: number; contextIds: readonly string[] | null } {
  const firstWithText = queue.findIndex(({ words }) => words !== 'session');
  const placeholders = firstWithText < 0 ? queue.length : firstWithText;
  const ids = [...new Set(messages.map((message) => message.context_id))];
  const fits = ids.length === placeholders && ids.every((id, index) => id === queue[index]!.contextId);
  return { placeholders, contextIds: ids.length === 0 || fits ? null : ids };
}

/** Uses a session for the rest of an utterance's text. The node that plays the first part is kept. */
function takeRest(turn: Turn, utterance: QueuedUtterance, session: PlayableSession): void {
  const { sampleRate, node } = turn.state;
  const { serial } = utterance;
  if (session.sampleRate !== sampleRate) {
    const message = `The rest of the text needs a session of ${sampleRate} Hz, not ${session.sampleRate} Hz. Give each session the same rate.`;
    return lose(turn, [utterance], new SpeakerError('session-invalid', message));
  }
  turn.effects.push({ do: 'hold-session', session: { ...session, messages: [] } });
  turn.state.pending = { serial, sampleRate, key: node!.key, isStream: false };
}

/** Rejects a `play()` without text whose session brings none. No socket is opened, because no audio would come. */
function refuseSilence(turn: Turn, utterances: readonly QueuedUtterance[]): void {
  const error = new DOMException('There is nothing to say. Set text, or call speak().', 'InvalidStateError');
  drop(turn, utterances, error);
  if (turn.hasSpeech) return;
  turn.effects.push({ do: 'release-session', onlyUnneeded: false }, { do: 'settle-plays', error });
  stop(turn);
}

/** Returns the messages of a retry's session, without contexts whose audio has begun to arrive or that were dropped. */
function unheardMessages(turn: Turn, { messages }: PlayableSession): PlayableSession['messages'] {
  const { brought, utterances } = turn.state;
  const isOver = ({ id }: { id: number }): boolean => !utterances.some((one) => one.id === id && !hasAudio(one));
  const over = brought.filter(isOver).map(({ contextId }) => contextId);
  return messages.filter((message) => !over.includes(message.context_id));
}

/**
 * Opens the connection of the pending session, or reads the pending audio stream. If the open audio node has another rate
 * or transport, this happens only once that node has played everything. Samples wait in the worker until the new audio
 * node is open.
 */
export function connectPending(turn: Turn, pending: NonNullable<PlaybackState['pending']>): void {
  const { node } = turn.state;
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
