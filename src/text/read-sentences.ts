import { SentenceCutter } from './sentences.js';

/** Nothing has come for so long after what looks like the end of a sentence: then it is one. In ms. */
const PATIENCE_MS = 200;

/** How text comes from a language model: bit by bit. */
export type TextStream = AsyncIterable<string> | ReadableStream<string>;

/**
 * Reads a stream of text, and gives out each sentence as soon as it is complete.
 *
 * @param stream - Is cancelled when `signal` is aborted.
 * @param onSentence - Not called any more once `signal` is aborted.
 * @throws {unknown} What the stream fails with; a TypeError if it gives anything but strings. What was held back of the
 *   last sentence is not given out then.
 */
export async function readSentences(
  stream: TextStream,
  onSentence: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const cutter = new SentenceCutter();
  const give = (sentence: string | null): void => {
    if (sentence !== null && !signal.aborted) onSentence(sentence);
  };
  const source = iteratorOf(stream);
  const stop = (): void => void source.return?.().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  while (!signal.aborted) {
    const timer = setTimeout(() => {
      if (cutter.isWhole) give(cutter.rest());
    }, PATIENCE_MS);
    let result: IteratorResult<unknown>;
    try {
      result = await source.next();
    } finally {
      clearTimeout(timer);
    }
    if (result.done) break;
    cutter.push(text(result.value)).forEach(give);
  }
  give(cutter.rest());
}

/** A ReadableStream is not iterable in every browser. */
function iteratorOf(stream: TextStream): AsyncIterator<unknown> {
  if (!('getReader' in stream)) return stream[Symbol.asyncIterator]();
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(
    `A stream for speak() gives strings, not ${typeof value}: take the text out of each chunk; for bytes, ` +
      'pipeThrough(new TextDecoderStream()).',
  );
}
