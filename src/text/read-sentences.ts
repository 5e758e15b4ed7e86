import { SentenceCutter } from './sentences.js';

/** Pause of the stream, in ms, after which a text that looks like a whole sentence counts as one. */
const PAUSE_MS = 200;

/** A stream of text, such as the output of a language model. */
export type TextStream = AsyncIterable<string> | ReadableStream<string>;

/**
 * Reads a stream of text, and passes on each sentence as soon as it is complete.
 *
 * @param stream - Cancelled when `signal` is aborted.
 * @param onSentence - Not called after `signal` is aborted.
 * @throws {unknown} The error of the stream, or a TypeError if it yields anything but strings. An incomplete last
 *   sentence is then dropped.
 */
export async function readSentences(
  stream: TextStream,
  onSentence: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const cutter = new SentenceCutter();
  const pass = (sentence: string | null): void => {
    if (sentence !== null && !signal.aborted) onSentence(sentence);
  };
  const source = iteratorOf(stream);
  const stop = (): void => void source.return?.().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  while (!signal.aborted) {
    const timer = setTimeout(() => {
      if (cutter.isWhole) pass(cutter.rest());
    }, PAUSE_MS);
    let result: IteratorResult<unknown>;
    try {
      result = await source.next();
    } finally {
      clearTimeout(timer);
    }
    if (result.done) break;
    cutter.push(text(result.value)).forEach(pass);
  }
  pass(cutter.rest());
}

/** Returns an iterator over the stream. Some browsers cannot iterate over a ReadableStream. */
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
    `A stream for speak() must give strings, not ${typeof value}. Take the text out of each chunk; for bytes, use ` +
      'pipeThrough(new TextDecoderStream()).',
  );
}
