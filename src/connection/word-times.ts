import type { TimingsMessage } from '../protocol/message.js';

/** A word of an utterance, as the service reports it. */
export interface ReportedWord {
  /** UTF-16 offset of its first character in all text that was sent for the utterance. */
  readonly from: number;
  /** Offset after its last character. */
  readonly to: number;
  /** Begin and end, in seconds of the utterance's speech. */
  readonly start: number;
  readonly end: number;
}

/** A sound of an utterance, as the service reports it. */
export interface ReportedPhone {
  /** Name in ARPAbet. */
  readonly phone: string;
  /** Begin and end, in seconds of the utterance's speech. */
  readonly start: number;
  readonly end: number;
}

/** The part of an utterance to which the times of a message refer. */
export interface TimedPart {
  /** Offset of the context's text in that of the utterance, and its length so far. */
  readonly offset: number;
  readonly length: number;
  /** Seconds of the utterance's speech before that of the context. */
  readonly seconds: number;
}

/** Times with their places in an utterance, and the number of entries that are no times, or not in order. */
export interface PlacedTimes {
  readonly words: ReportedWord[];
  readonly phones: ReportedPhone[];
  readonly malformed: number;
}

/**
 * Checks the times that a service reports, and places them in the utterance. What goes back, overlaps another word, or
 * lies outside the text is left out and counted. Never throws; any thread.
 *
 * @param last - The last word before; null if there is none.
 */
export function placeTimes(message: TimingsMessage, part: TimedPart, last: ReportedWord | null): PlacedTimes {
  const words: ReportedWord[] = [];
  for (const word of message.words) {
    const { from, to, start, end } = Object(word) as Partial<ReportedWord>;
    const before = words.at(-1) ?? last;
    const isInText = isWhole(from) && isWhole(to) && from < to && to <= part.length;
    if (!isInText || !isSpan(start, end)) continue;
    const placed = {
      from: part.offset + from,
      to: part.offset + to,
      start: part.seconds + start,
      end: part.seconds + end!,
    };
    if (before && (placed.from < before.to || placed.start < before.start)) continue;
    words.push(placed);
  }
  const phones = (message.phones ?? []).flatMap((one) => {
    const { phone, start, end } = Object(one) as Partial<ReportedPhone>;
    if (typeof phone !== 'string' || !isSpan(start, end)) return [];
    return { phone, start: part.seconds + start, end: part.seconds + end! };
  });
  const count = message.words.length + (message.phones?.length ?? 0);
  return { words, phones, malformed: count - words.length - phones.length };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSpan(start: unknown, end: unknown): start is number {
  return (
    Number.isFinite(start) && Number.isFinite(end) && (start as number) >= 0 && (end as number) >= (start as number)
  );
}
