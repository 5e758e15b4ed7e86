import { threadClock } from '../base/thread-clock.js';
import { readSentences, type TextStream } from '../text/read-sentences.js';

/**
 * Reads a stream of text as {@link readSentences} does, in the language of an element.
 *
 * Main thread.
 */
export function readStream(
  element: Element,
  stream: TextStream,
  onSentence: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  return readSentences(stream, languageOf(element), onSentence, signal, threadClock);
}

/** Returns the language of an element, from the nearest `lang` attribute, as in HTML; empty if unknown. */
function languageOf(element: Element): string {
  const marked = element.closest('[lang]');
  if (marked) return marked.getAttribute('lang')!;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOf(root.host) : '';
}
