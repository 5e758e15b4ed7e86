import { sentLength, type SentUtterance, type SpokenPart } from './sent-utterance.js';

/** Marks that belong to the word before them, and the space after them. */
const MARKS_AFTER = /^[\p{Pe}\p{Pf}\p{Pd}\p{Po}]*\s*/u;
/** Precision of the times of words, in seconds. */
const PRECISION = 0.01;
/** Seconds of pause after a word, by the marks that follow it. */
const PAUSES: readonly (readonly [RegExp, number])[] = [
  [/[.!?\u2026\u3002\uff01\uff1f\u0964\u061f\u06d4]/, 0.3],
  [/[,;:\u2013\u2014\u3001\uff0c\u060c]/, 0.15],
];

/** The beginning of an utterance that was received whole, and the pause that should follow it. */
export interface WholePart extends SpokenPart {
  /** Samples of silence. */
  readonly pause: number;
}

/**
 * Returns the number of samples of an utterance that no other connection will speak again: those to the end of its last
 * whole word, and of the pause after it as far as that is known.
 */
export function wholeSamples(utterance: SentUtterance, sampleRate: number): number {
  const { words, samples, past } = utterance;
  utterance.wholeWords = Math.max(utterance.wholeWords, past.words);
  while ((endOf(utterance, utterance.wholeWords) - PRECISION) * sampleRate <= samples) utterance.wholeWords++;
  const count = utterance.wholeWords;
  if (count === past.words) return past.samples;
  const end = words[count]?.start ?? words[count - 1]!.end;
  return Math.min(samples, Math.round(end * sampleRate));
}

function endOf({ words }: SentUtterance, index: number): number {
  const word = words[index];
  if (!word) return Number.POSITIVE_INFINITY;
  const { start, end } = word;
  if (words[index - 1]?.start !== start && words[index + 1]?.start !== start) return end;
  // The service reports one time for several words if it does not know theirs.
  return words.find((later) => later.start > start)?.start ?? Number.POSITIVE_INFINITY;
}

/** Finds the beginning of an utterance, to its last whole word with the marks and the pause that follow it. */
export function wholePart(utterance: SentUtterance, sampleRate: number): WholePart {
  const { words, past } = utterance;
  const samples = wholeSamples(utterance, sampleRate);
  const count = utterance.wholeWords;
  if (count === past.words) return { ...past, pause: 0 };
  const texts = utterance.texts!;
  const text = texts.join('');
  const { to, end } = words[count - 1]!;
  const marks = MARKS_AFTER.exec(text.slice(to))![0];
  const next = words[count];
  const usual = PAUSES.find(([pattern]) => pattern.test(marks))?.[1] ?? 0;
  const pause = Math.round((next ? next.start : end + usual) * sampleRate) - samples;
  // Nothing of a text that is still being written is skipped before it is sent.
  const offset = Math.min(to + marks.length, sentLength(utterance));
  let sent = 0;
  let skip = offset;
  while (sent < texts.length && skip >= texts[sent]!.length) skip -= texts[sent++]!.length;
  return { sent, skip, samples, words: count, pause: pause > PRECISION * sampleRate ? pause : 0 };
}
