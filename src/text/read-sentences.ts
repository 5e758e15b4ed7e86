import type { Clock } from '../base/clock.js';
import { loadSentenceRules } from './load-sentence-rules.js';
import { SentenceCutter } from './sentences.js';

/** Minimum pause of the stream, in milliseconds, that ends a sentence. See `SentenceCutter.ending` for the two kinds. */
const PAUSE_MS = { whole: 200, doubtful: 600 } as const;
/** A pause ends a sentence only if it is this many times as long as the usual pauses between tokens. */
const PACE_FACTOR = 2.5;
/** Pause that always ends a sentence, in milliseconds. */
const LONGEST_PAUSE_MS = 900;
/** Number of the newest pauses that count as usual. */
const PACE_PAUSES = 5;
/** Pauses of this length or more, in milliseconds, are not usual: the model uses a tool. */
const STALL_MS = 1000;

/** A stream of text, such as the output of a language model. */
export type TextStream = AsyncIterable<string> | ReadableStream<string>;

/**
 * Reads a stream of text, and passes on each sentence as soon as it is complete.
 *
 * @param stream - Cancelled when `signal` is aborted.
 * @param language - A BCP 47 tag; empty if unknown. It decides what is an abbreviation.
 * @param onSentence - Not called after `signal` is aborted.
 * @param clock - Measures the pauses of the stream.
 * @throws {unknown} The error of the stream, or a TypeError if it yields anything but strings. An incomplete last
 *   sentence is then dropped.
 */
export async function readSentences(
  stream: TextStream,
  language: string,
  onSentence: (sentence: string) => void,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const source = iteratorOf(stream);
  const stop = (): void => void source.return?.().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) return stop();
  // A lazy stream begins while the rules are loaded.
  let next = source.next();
  next.catch(() => {}); // awaited below
  const cutter = new SentenceCutter(await loadSentenceRules(language), language || undefined);
  const pass = (sentence: string | null): void => {
    if (sentence !== null && !signal.aborted) onSentence(sentence);
  };
  let pausesMs: number[] = [];
  let newest: number | null = null;
  for (; !signal.aborted; next = source.next()) {
    const { ending } = cutter;
    const wait = ending === 'open' ? null : clock.after(pauseAfter(ending, pausesMs), () => pass(cutter.rest()));
    let result: IteratorResult<unknown>;
    try {
      result = await next;
    } finally {
      wait?.();
    }
    if (result.done) break;
    const now = clock.now();
    if (newest !== null && now - newest < STALL_MS) pausesMs = [...pausesMs, now - newest].slice(-PACE_PAUSES);
    newest = now;
    cutter.push(text(result.value)).forEach(pass);
  }
  pass(cutter.rest());
}

function pauseAfter(ending: keyof typeof PAUSE_MS, pausesMs: readonly number[]): number {
  return Math.min(Math.max(PAUSE_MS[ending], PACE_FACTOR * Math.max(0, ...pausesMs)), LONGEST_PAUSE_MS);
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
