import { SpeakerError } from '../base/speaker-error.js';
import { threadClock } from '../base/thread-clock.js';
import type { SpokenAs } from '../speakable/marks.js';
import { languageOf } from './language-of.js';
import { readText, type TextStream } from '../text/read-text.js';
import type { Run } from '../speakable/runs.js';

/**
 * Reads a text as {@link readText} does, in the language of an element.
 *
 * Main thread.
 *
 * @throws {SpeakerError} If the stream fails.
 */
export async function readTextOf(
  element: Element,
  text: string | TextStream,
  spokenAs: SpokenAs,
  onPart: (part: readonly Run[]) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await readText(text, spokenAs, languageOf(element), onPart, signal, threadClock);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = typeof text === 'string' ? 'text' : 'stream of text';
    throw new SpeakerError('aborted', `The ${what} given to speak() failed: ${reason}`, { cause });
  }
}
