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

/** Shortest time that a cue is shown, in ms: WebVTT has no cue without a length. */
const LEAST_MS = 1;

/** A text and its words, in order. */
interface TimedText {
  readonly text: string;
  readonly words: readonly TimedWord[];
}

/**
 * Makes WebVTT of texts that an element has spoken, in the language of the element.
 *
 * @param begin - Their times are counted from here, in seconds. What was spoken before is left out.
 * @throws {DOMException} InvalidStateError, without texts.
 */
export async function vttOf(
  element: Element,
  texts: readonly TimedText[],
  begin: number,
  by: 'sentence' | 'word',
): Promise<string> {
  if (texts.length === 0) {
    const message = 'Not all of it has been received, or nothing of it is kept. Wait for utterance.finished.';
    throw new DOMException(message, 'InvalidStateError');
  }
  const own = texts.map(({ text, words }) => ({
    text,
    words: words
      .filter(({ startTime }) => startTime >= begin)
      .map(({ from, to, startTime, endTime }) => ({
        from,
        to,
        startTime: startTime - begin,
        endTime: endTime - begin,
      })),
  }));
  return makeVtt(own, by, languageOf(element));
}

/**
 * Makes WebVTT of texts that were spoken, one after the other (https://www.w3.org/TR/webvtt1/).
 *
 * @param by - A cue for each sentence, or for each word.
 * @param language - A BCP 47 tag, for the ends of sentences; empty if unknown.
 */
export async function makeVtt(texts: readonly TimedText[], by: 'sentence' | 'word', language: string): Promise<string> {
  const cues: Cue[] = [];
  for (const { text, words } of texts) {
    let index = 0;
    for (const { from, to } of by === 'word' ? words : await sentencesOf(text, language)) {
      while (words[index] && words[index]!.to <= from) index++;
      const first = words[index];
      if (!first || first.from >= to) continue;
      while (words[index + 1] && words[index + 1]!.from < to) index++;
      const [start, end] = [msOf(first.startTime), msOf(words[index]!.endTime)];
      cues.push({ start, end, text: escape(text.slice(from, to)) });
    }
  }
  const blocks = cues.map(({ start, end, text }, index) => {
    // A cue ends where the next one begins.
    const last = Math.max(Math.min(end, cues[index + 1]?.start ?? end), start + LEAST_MS);
    return `${timestamp(start)} --> ${timestamp(last)}\n${text}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** A text, and the ms from which and until which it is shown. */
interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function msOf(seconds: number): number {
  return Math.round(seconds * 1000);
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
function timestamp(ms: number): string {
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  return `${parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}

/** Replaces what has a meaning in the text of a cue. A blank line would end it. */
function escape(text: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text
    .trim()
    .replace(/\s*[\n\r]\s*/g, ' ')
    .replace(/[&<>]/g, (mark) => marks[mark]!);
}
