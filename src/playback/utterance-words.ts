import { WordFinder } from '../base/word-finder.js';
import type { ReportedPhone, ReportedWord } from '../connection/word-times.js';
import { originalRanges } from '../speakable/original-range.js';
import { spokenOf } from '../speakable/runs.js';
import { estimateWords } from './estimate-words.js';
import { endOf, type HeardFacts, LEAST_LETTER_SECONDS, note } from './heard-part.js';
import type { SpokenWord, UtteranceRecord } from './utterance.js';
import { type Viseme, visemeOf } from './visemes.js';

/** A pause of this length or more between two sounds, in seconds, is the viseme `sil`. */
const SILENCE_SECONDS = 0.06;
/** Times are estimated this many seconds ahead of what is heard, while the length of the speech is not known. */
const LOOKAHEAD_SECONDS = 1;

/** Times of a word in its utterance, in seconds, and its offsets in the text. */
interface WordTimes extends ReportedWord {
  readonly isEstimated: boolean;
}

interface TimedViseme {
  readonly viseme: Viseme;
  readonly start: number;
  readonly end: number;
}

/** Returns the words of an utterance on the timeline, as far as their times are known. */
export function wordsOf(facts: HeardFacts, record: UtteranceRecord): readonly SpokenWord[] {
  const times = timesOf(facts, record);
  const { start } = record.span;
  const cache = cacheOf(record);
  if (cache.listed !== times || !Object.is(cache.listedAt, start)) {
    cache.listed = times;
    cache.listedAt = start;
    const { text } = record;
    // Unchanged words stay the same objects: a page may look for the word of an event in the list.
    const before = cache.list;
    cache.list = times.map((word, index) => spokenWord(word, text, start, before[index]));
  }
  return cache.list;
}

/** Finds the waiting words of a pushed input in its text. Without any text, they are the text. */
export function placeWords(record: UtteranceRecord): void {
  const { timed } = record;
  const parts = record.parts!;
  let since = timed.words.at(-1)?.start ?? 0;
  const waiting = record.waitingWords.filter((word) => {
    // The page may pass on what a service has reported as it is.
    const { text, start, end } = Object(word) as typeof word;
    const isTimed = Number.isFinite(start) && Number.isFinite(end) && start >= since && end >= start;
    const isWord = isTimed && typeof text === 'string' && text !== '';
    if (isWord) since = start;
    return isWord;
  });
  record.textIsWords ||= parts.length === 0 && waiting.length > 0;
  if (record.textIsWords) {
    for (const { text } of waiting) {
      const original = parts.length > 0 ? ` ${text}` : text;
      parts.push([{ original, spoken: original }]);
    }
  }
  const finder = (record.finder ??= new WordFinder());
  finder.add(spokenOf(record.runs).slice(finder.length));
  const places = finder.find(
    waiting.map(({ text }) => text),
    record.isOpen && !record.textIsWords,
  );
  record.waitingWords = waiting.slice(places.length);
  const words = [...timed.words];
  for (const [index, place] of places.entries()) {
    const { start, end } = waiting[index]!;
    const last = words.at(-1);
    if (place) words.push({ ...place, start, end });
    else if (last) words[words.length - 1] = { ...last, end: Math.max(last.end, end) };
  }
  if (places.length === 0 || words.length === 0) return;
  timed.words = words;
  timed.isReported = true;
}

/**
 * Returns the times of words, reported or estimated, within the speech. They are computed again only if something has
 * changed.
 */
export function timesOf(facts: HeardFacts, record: UtteranceRecord): readonly WordTimes[] {
  const { timed, span } = record;
  const cache = cacheOf(record);
  const seconds = span.end - span.start;
  const key = timed.isReported ? String(seconds) : estimateKey(facts, record);
  if (cache.key !== key || cache.words !== timed.words) {
    cache.key = key;
    cache.words = timed.words;
    cache.times = written(record, timed.isReported ? withinSpeech(timed.words, seconds) : estimates(record));
  }
  return cache.times;
}

/** Returns words with their offsets in the text. Several that are spoken for the same part of it are one. */
function written({ runs }: UtteranceRecord, times: readonly WordTimes[]): WordTimes[] {
  const words: WordTimes[] = [];
  for (const [index, range] of originalRanges(runs, times).entries()) {
    const last = words.at(-1);
    const { end } = times[index]!;
    if (last?.from === range.from && last.to === range.to) words[words.length - 1] = { ...last, end };
    else words.push({ ...times[index]!, ...range });
  }
  return words;
}

/** Leaves out words beyond the speech: they are not heard. `seconds` is NaN while its length is not known. */
function withinSpeech(words: readonly ReportedWord[], seconds: number): WordTimes[] {
  const most = Number.isNaN(seconds) ? Infinity : seconds;
  const heard = words.filter(({ start }) => start < most);
  const times: WordTimes[] = [];
  for (let first = 0, next = 0; first < heard.length; first = next) {
    while (heard[next]?.start === heard[first]!.start) next++;
    times.push(...spread(heard.slice(first, next), heard[next]?.start ?? most));
  }
  return times.map((word) => ({ ...word, end: Math.min(word.end, most) }));
}

/**
 * Returns the times of words for which the service reports one time, because it does not know theirs. They are spread by
 * letters up to the reported end of the last word, or up to `next` if that end is too early to be true. If `next` is not
 * known yet (Infinity), returns the first word only.
 */
function spread(words: readonly ReportedWord[], next: number): WordTimes[] {
  const first = words[0]!;
  const { start } = first;
  const letters = words.reduce((sum, { from, to }) => sum + to - from, 0);
  const reported = Math.max(...words.map((word) => word.end));
  const until = reported - start >= letters * LEAST_LETTER_SECONDS ? Math.min(reported, next) : next;
  if (words.length === 1 || until === Infinity) {
    const end = first.end > start ? first.end : Math.min(endOf(first), next);
    return [{ ...first, end, isEstimated: false }];
  }
  let at = start;
  return words.map((word) => {
    const begin = at;
    at += ((until - start) * (word.to - word.from)) / letters;
    return { ...word, start: begin, end: at, isEstimated: true };
  });
}

/** Notes how much was heard, and returns what an estimate depends on: text, length, pauses, and time in half seconds. */
function estimateKey(facts: HeardFacts, record: UtteranceRecord): string {
  note(facts, record);
  const { length, quiet, seconds } = record.heard;
  const known = length ?? Math.floor(2 * seconds);
  return record.parts ? `~${record.parts.length} ${record.isOpen} ${length === null} ${known} ${quiet?.length}` : '';
}

function estimates({ parts, runs, isOpen, heard }: UtteranceRecord): WordTimes[] {
  if (!parts) return [];
  const { seconds, length, earlier, quiet } = heard;
  const duration = isOpen ? null : length;
  const until = duration ?? seconds + LOOKAHEAD_SECONDS;
  const words = estimateWords(spokenOf(runs), until, duration, earlier, quiet);
  return words.map((word) => ({ ...word, isEstimated: true }));
}

/**
 * @param at - Start of the utterance on the timeline, in seconds.
 * @param before - The word in its place so far. Returned if it is the same.
 */
function spokenWord(
  { from, to, start, end, isEstimated }: WordTimes,
  text: string,
  at: number,
  before?: SpokenWord,
): SpokenWord {
  const word = { from, to, text: text.slice(from, to), startTime: at + start, endTime: at + end, isEstimated };
  const isSame = before && (Object.keys(word) as (keyof SpokenWord)[]).every((key) => word[key] === before[key]);
  return isSame ? before : Object.freeze(word);
}

/** Returns the visemes of an utterance, with the silence between its sounds. */
export function visemesOf(record: UtteranceRecord): readonly TimedViseme[] {
  const { phones } = record.timed;
  const cache = cacheOf(record);
  if (cache.phones === phones) return cache.visemes;
  cache.phones = phones;
  const visemes: TimedViseme[] = [];
  for (const { phone, start, end } of phones) {
    // Sounds that are reported again, for a connection that was lost, replace the earlier ones.
    while (visemes.length > 0 && visemes.at(-1)!.start >= start) visemes.pop();
    const before = visemes.at(-1)?.end ?? 0;
    if (start - before >= SILENCE_SECONDS) visemes.push({ viseme: 'sil', start: before, end: start });
    visemes.push({ viseme: visemeOf(phone), start, end });
  }
  return (cache.visemes = visemes);
}

/** Results for an utterance. */
interface Cache {
  /** Times of the reported `words`, or of estimated ones, for the facts in `key`. */
  key: string;
  words: readonly ReportedWord[] | null;
  times: readonly WordTimes[];
  /** The words of `listed`, in an utterance that begins at `listedAt`. */
  list: readonly SpokenWord[];
  listed: readonly WordTimes[] | null;
  listedAt: number;
  /** Visemes of `phones`. */
  phones: readonly ReportedPhone[] | null;
  visemes: readonly TimedViseme[];
}

const caches = new WeakMap<UtteranceRecord, Cache>();

function cacheOf(record: UtteranceRecord): Cache {
  const known = caches.get(record);
  if (known) return known;
  const cache: Cache = {
    key: '',
    words: null,
    times: [],
    list: [],
    listed: null,
    listedAt: Number.NaN,
    phones: null,
    visemes: [],
  };
  caches.set(record, cache);
  return cache;
}
