import type { ClientMessage } from '../protocol/index.js';

/** The members of a queued utterance that matter for the contexts of a session. */
interface Waiting {
  readonly contextId: string;
  /** `session`: the session brings its words. */
  readonly words: 'own' | 'session' | 'audio';
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
