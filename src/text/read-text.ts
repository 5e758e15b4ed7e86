import type { Clock } from '../base/clock.js';
import { loadSentenceRules } from './load-sentence-rules.js';
import type { SpokenAs } from '../speakable/marks.js';
import { SentenceCutter } from './sentences.js';
import { SpeakableText } from '../speakable/speakable-text.js';
import { originalOf, type Run, spokenOf } from '../speakable/runs.js';
import { isSpeakable, splitRuns } from '../speakable/spoken-text.js';

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
 * Reads a text, and passes on what is spoken for it: for a stream, each sentence as soon as it is complete; for a string,
 * all at once. The runs that are passed on add up to the text.
 *
 * @param text - A stream is cancelled when `signal` is aborted.
 * @param lang - A BCP 47 tag; empty if unknown. It decides what is an abbreviation.
 * @param onPart - Not called after `signal` is aborted. A part without anything to say has no speech.
 * @param clock - Measures the pauses of the stream.
 * @throws {unknown} The error of the stream, or a TypeError if it yields anything but strings. An incomplete last
 *   sentence is then dropped. `null` and `undefined`, which models send in chunks without text, are passed over; a stream
 *   of nothing else is an error.
 */
export async function readText(
  text: string | TextStream,
  { markup, lexicon }: SpokenAs,
  lang: string,
  onPart: (part: readonly Run[]) => void,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const language = lang || undefined;
  const speakable = markup === 'plain' ? null : new SpeakableText();
  const say = lexicon ? (await import('../speakable/lexicon.js')).makeLexicon(lexicon, language) : null;
  const pass = (part: readonly Run[]): void => {
    if (part.length === 0 || signal.aborted) return;
    if (!isSpeakable(spokenOf(part))) onPart([{ original: originalOf(part), spoken: '' }]);
    else onPart(say ? say(part) : part);
  };
  const spoken = async (piece: string): Promise<Run[]> => {
    if (!speakable) return [{ original: piece, spoken: piece }];
    const runs = speakable.push(piece);
    return speakable.waits ? [...runs, ...(await speakable.load())] : runs;
  };
  if (typeof text === 'string') return pass([...(await spoken(text)), ...(speakable?.end() ?? [])]);

  const source = iteratorOf(text);
  const stop = (): void => void source.return().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) return stop();
  // A lazy stream begins while the rules are loaded.
  let next = source.next();
  next.catch(() => {}); // awaited below
  const cutter = new SentenceCutter(await loadSentenceRules(lang), language);
  let pending: Run[] = [];
  const add = (runs: readonly Run[]): void => {
    pending.push(...runs);
    for (const { length } of cutter.push(spokenOf(runs))) {
      const [sentence, rest] = splitRuns(pending, length);
      pending = rest;
      pass(sentence);
    }
  };
  const flush = (): void => {
    cutter.rest();
    pass(pending.splice(0));
  };
  const settle = (): void => {
    add(speakable?.settle() ?? []);
    flush();
  };
  let pausesMs: number[] = [];
  let newest: number | null = null;
  let hasText = false;
  for (;;) {
    const ending = cutter.ending(speakable?.held);
    const wait = ending === 'open' ? null : clock.after(pauseAfter(ending, pausesMs), settle);
    const result = await next.finally(() => wait?.());
    if (result.done) break;
    const now = clock.now();
    if (newest !== null && now - newest < STALL_MS) pausesMs = [...pausesMs, now - newest].slice(-PACE_PAUSES);
    newest = now;
    hasText ||= typeof result.value === 'string';
    add(await spoken(textOf(result.value ?? '')));
    if (signal.aborted) return;
    next = source.next();
  }
  if (newest !== null && !hasText) textOf(undefined); // throws
  add(speakable?.end() ?? []);
  flush();
}

function pauseAfter(ending: keyof typeof PAUSE_MS, pausesMs: readonly number[]): number {
  return Math.min(Math.max(PAUSE_MS[ending], PACE_FACTOR * Math.max(0, ...pausesMs)), LONGEST_PAUSE_MS);
}

/**
 * Returns the methods to read the stream and to end it. Some browsers cannot iterate over a ReadableStream, and an iterator
 * may return or throw at once what it should as a promise.
 */
function iteratorOf(stream: TextStream): { next(): Promise<IteratorResult<unknown>>; return(): Promise<unknown> } {
  if (!('getReader' in stream)) {
    const iterator = stream[Symbol.asyncIterator]();
    return { next: async () => iterator.next(), return: async () => iterator.return?.() };
  }
  const reader = stream.getReader();
  return { next: () => reader.read() as Promise<IteratorResult<unknown>>, return: () => reader.cancel() };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(
    `A stream for speak() must give strings, not ${typeof value}. Take the text out of each chunk; for bytes, use ` +
      'pipeThrough(new TextDecoderStream()).',
  );
}
