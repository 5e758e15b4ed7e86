import { languageOf } from './language-of.js';
import { loadSentenceRules } from '../text/load-sentence-rules.js';
import { SentenceCutter } from '../text/sentences.js';

/** A word of a text, with its offsets there, and when it is spoken, in seconds. */
interface TimedWord {
  readonly from: number;
  readonly to: number;
  readonly startTime: number;
  readonly endTime: number;
}

/** Shortest time that a cue is shown, in seconds: WebVTT has no cue without a length. */
const LEAST_SECONDS = 0.001;

/**
 * Makes WebVTT of a text that an element has spoken, in the language of the element.
 *
 * @param words - Null if not all of the speech was received, or it is forgotten.
 * @param begin - Their times are counted from here, in seconds.
 * @throws {DOMException} InvalidStateError, without words.
 */
export async function vttOf(
  element: Element,
  text: string,
  words: readonly TimedWord[] | null,
  begin: number,
  by: 'sentence' | 'word',
): Promise<string> {
  if (!words) {
    const message = 'Not all of the utterance has been received, or it is no longer kept. Wait for utterance.finished.';
    throw new DOMException(message, 'InvalidStateError');
  }
  const own = words.map(({ from, to, startTime, endTime }) => ({
    from,
    to,
    startTime: startTime - begin,
    endTime: endTime - begin,
  }));
  return makeVtt(text, own, by, languageOf(element));
}

/**
 * Makes WebVTT of a text that was spoken (https://www.w3.org/TR/webvtt1/).
 *
 * @param words - In order.
 * @param by - A cue for each sentence, or for each word.
 * @param language - A BCP 47 tag, for the ends of sentences; empty if unknown.
 */
export async function makeVtt(
  text: string,
  words: readonly TimedWord[],
  by: 'sentence' | 'word',
  language: string,
): Promise<string> {
  const parts = by === 'word' ? words : await sentencesOf(text, language);
  const cues = parts.flatMap(({ from, to }) => {
    const inside = words.filter((word) => word.from < to && word.to > from);
    if (inside.length === 0) return [];
    const start = inside[0]!.startTime;
    const end = Math.max(inside.at(-1)!.endTime, start + LEAST_SECONDS);
    return `${timestamp(start)} --> ${timestamp(end)}\n${escape(text.slice(from, to))}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

async function sentencesOf(text: string, language: string): Promise<{ from: number; to: number }[]> {
  const cutter = new SentenceCutter(await loadSentenceRules(language), language || undefined);
  const sentences = [...cutter.push(text)];
  const rest = cutter.rest();
  if (rest !== null) sentences.push(rest);
  let from = 0;
  return sentences.map((sentence) => {
    const begin = from;
    from += sentence.length;
    return { from: begin, to: from };
  });
}

/** Returns `01:02:03.456`. */
function timestamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  return `${parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}

/** Replaces what has a meaning in the text of a cue. A blank line would end it. */
function escape(text: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[&<>]/g, (mark) => marks[mark]!);
}
