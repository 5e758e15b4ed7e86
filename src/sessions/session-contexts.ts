import type { ClientMessage } from '../protocol/index.js';

/** An utterance of the queue, as far as the contexts of a session concern it. */
interface Waiting {
  readonly contextId: string;
  /** `session`: the session brings its words. */
  readonly words: 'own' | 'session' | 'audio';
}

/**
 * Finds the utterances that the contexts of a session's `messages` stand for.
 *
 * An utterance whose words the session brings is a placeholder until the session is there: only its messages tell how many
 * contexts there are, and their names. They are spoken in the order of their first message, before any other text.
 *
 * @param queue - Utterances from the one that the session was requested for.
 * @returns `placeholders`: how many utterances at the head of `queue` wait for the session's words; `contextIds`: the names
 *   of the utterances that replace them, or null if they stay.
 */
export function fitContexts(
  messages: readonly ClientMessage[],
  queue: readonly Waiting[],
): { placeholders: number; contextIds: readonly string[] | null } {
  const firstWithText = queue.findIndex(({ words }) => words !== 'session');
  const placeholders = firstWithText < 0 ? queue.length : firstWithText;
  const ids = [...new Set(messages.map((message) => message.context_id))];
  const fits = ids.length === placeholders && ids.every((id, index) => id === queue[index]!.contextId);
  return { placeholders, contextIds: ids.length === 0 || fits ? null : ids };
}
