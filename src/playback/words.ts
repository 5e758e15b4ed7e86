import type { Clock } from '../base/clock.js';
import { WordFinder } from '../base/word-finder.js';
import type { ReportedPhone, ReportedWord } from '../connection/word-times.js';
import { originalRange } from '../speakable/original-range.js';
import { type Run, spokenOf } from '../speakable/runs.js';
import { type HeardFacts, note } from './heard-part.js';
import { estimateWords } from './estimate-words.js';
import type { CueOptions, SpokenWord, Utterance, UtteranceRecord } from './utterance.js';
import { type Viseme, visemeOf } from './visemes.js';

/** A word or sound counts as due this many seconds before it begins, because timers are not exact. */
const EARLY_SECONDS = 0.003;
/** Shortest time to the next look at the clock, in ms. */
const LEAST_WAIT_MS = 4;
/** A pause of this length or more between two sounds, in seconds, is the viseme `sil`. */
const SILENCE_SECONDS = 0.06;
/** Shortest time for a letter, in seconds. Words that are reported with less take longer. */
const LEAST_LETTER_SECONDS = 0.03;
/** Times are estimated this many seconds ahead of what is heard, while the length of the speech is not known. */
const LOOKAHEAD_SECONDS = 1;

/** A word, or a position of the mouth, that begins to be heard. */
export type WordEvents =
  | { type: 'word'; utterance: Utterance; word: SpokenWord }
  | { type: 'viseme'; utterance: Utterance; viseme: Viseme; seconds: number };

/** The words of a speaker. Loaded with the first sound. Main thread. */
export interface SpokenWords {
  /** The word that is heard; null between words. */
  readonly current: SpokenWord | null;
  /** Returns the words of an utterance on the timeline, as far as their times are known. */
  of(record: UtteranceRecord): readonly SpokenWord[];
  /**
   * Returns an utterance as WebVTT, or all that is kept. Rejects with InvalidStateError if not all of the utterance was
   * received, and if nothing is kept.
   */
  toVtt(record: UtteranceRecord | null, options: CueOptions | undefined): Promise<string>;
  /** Notes a seek to a position. */
  sought(position: number): void;
  /** Dispatches what is due in the utterance that is heard. Call it before anything changes. */
  flush(): void;
  /** Dispatches what is due, and sets the timer for what comes next. Call it when something has changed. */
  update(): void;
  /** Forgets the utterance that is heard. */
  reset(): void;
}

/** A text that was spoken, and its words. */
export interface TimedText {
  readonly text: string;
  readonly words: readonly SpokenWord[];
}

/** The page, as far as words need it. */
export interface WordHost {
  readonly clock: Clock;
  /** Seconds of speech that are heard in a second. */
  readonly playbackRate: number;
  /**
   * Makes WebVTT of texts.
   *
   * @param begin - Their times are counted from here, in seconds.
   */
  makeVtt(texts: readonly TimedText[], begin: number, by: 'sentence' | 'word'): Promise<string>;
}

/** Facts that the words are made of, and calls that they make. */
export interface WordFacts extends HeardFacts {
  /** Position in seconds, as heard. */
  readonly position: number;
  readonly host: WordHost;
  /** Returns the position of the oldest sample that is kept, in seconds; undefined if nothing is. */
  keptFrom(): number | undefined;
  dispatch(event: WordEvents): void;
}

/**
 * Dispatches `word` and `viseme` when a word or sound begins to be heard: each once and in order, at any rate, and again
 * after a seek. Main thread.
 */
class WordClock implements SpokenWords {
  readonly #facts: () => WordFacts;
  /** The utterance whose words are dispatched, and the numbers of its words and visemes that were. */
  #record: UtteranceRecord | null = null;
  #words = 0;
  #visemes = 0;
  /** True before the first utterance. */
  #isNew = true;
  /** Where the last seek went, in an utterance, until its words are dispatched from there. */
  #sought: { readonly record: UtteranceRecord; readonly at: number } | null = null;
  #cancelTimer = (): void => {};

  constructor(facts: () => WordFacts) {
    this.#facts = facts;
  }

  get current(): SpokenWord | null {
    const facts = this.#facts();
    return wordAt(facts, facts.position);
  }

  of(record: UtteranceRecord): readonly SpokenWord[] {
    return wordsOf(this.#facts(), record);
  }

  toVtt(record: UtteranceRecord | null, { by = 'sentence' }: CueOptions = {}): Promise<string> {
    const facts = this.#facts();
    const begin = record ? record.span.start : facts.keptFrom();
    const wanted = record ? [record].filter(({ span }) => !Number.isNaN(span.end)) : recordsIn(facts);
    const placed = wanted.filter(({ span }) => begin !== undefined && !Number.isNaN(span.start));
    const texts = placed.map((one) => ({ text: one.text, words: wordsOf(facts, one) }));
    return facts.host.makeVtt(texts, begin ?? 0, by);
  }

  sought(position: number): void {
    const record = recordAt(this.#facts(), position);
    this.#sought = record && { record, at: position - record.span.start };
  }

  flush(): void {
    const facts = this.#facts();
    if (this.#record && !this.#sought && facts.state.seeking === 0) this.#announce(facts, this.#record);
  }

  update(): void {
    this.#cancelTimer();
    const facts = this.#facts();
    for (const record of facts.records.values()) if (record.waitingWords.length > 0) placeWords(record);
    const { state, position } = facts;
    if (state.seeking > 0) return;
    const sought = this.#sought;
    // The page may have been blocked since a seek: what has been heard from there on comes first.
    const record = sought && !Number.isNaN(sought.record.begin) ? sought.record : recordAt(facts, position);
    // Before its first sample is heard, it has not begun.
    if (!record || Number.isNaN(record.begin)) return;
    if (this.#isNew) {
      this.#isNew = false;
      this.#catchUp(facts, record);
    }
    if (record !== this.#record || sought) this.#begin(facts, record, record === sought?.record ? sought.at : 0);
    const next = this.#announce(facts, record);
    if (state.mode !== 'playing' || next === null) return;
    const { clock, playbackRate } = facts.host;
    const waitMs = ((record.span.start + next - position) / playbackRate) * 1000;
    this.#cancelTimer = clock.after(Math.max(LEAST_WAIT_MS, waitMs), () => this.update());
  }

  reset(): void {
    this.#cancelTimer();
    this.#record = this.#sought = null;
  }

  /** Dispatches what was heard before `record` while this code was being loaded. */
  #catchUp(facts: WordFacts, record: UtteranceRecord): void {
    const records = recordsIn(facts);
    for (const earlier of records.slice(0, records.indexOf(record))) {
      this.#begin(facts, earlier, 0);
      this.#announce(facts, earlier);
    }
  }

  /** @param at - Seconds of the utterance: the word or sound there is the first. */
  #begin(facts: WordFacts, record: UtteranceRecord, at: number): void {
    const before = (times: readonly { end: number }[]): number => {
      const index = times.findIndex(({ end }) => end > at + EARLY_SECONDS);
      return at <= 0 ? 0 : index < 0 ? times.length : index;
    };
    this.#words = before(timesOf(facts, record));
    this.#visemes = before(visemesOf(record));
    this.#record = record;
    this.#sought = null;
  }

  /** Dispatches what is due. Returns the time of what comes next in the utterance; null if nothing does. */
  #announce(facts: WordFacts, record: UtteranceRecord): number | null {
    const { utterance, span } = record;
    const due = facts.position - span.start + EARLY_SECONDS;
    const words = timesOf(facts, record);
    const visemes = visemesOf(record);
    for (;;) {
      const word = words[this.#words];
      const viseme = visemes[this.#visemes];
      const next = Math.min(word?.start ?? Infinity, viseme?.start ?? Infinity);
      if (next === Infinity) return null;
      if (!(next <= due)) return next;
      if (word && word.start === next) {
        facts.dispatch({ type: 'word', utterance, word: wordsOf(facts, record)[this.#words]! });
        this.#words++;
      } else {
        const seconds = (viseme!.end - viseme!.start) / facts.host.playbackRate;
        facts.dispatch({ type: 'viseme', utterance, viseme: viseme!.viseme, seconds });
        this.#visemes++;
      }
    }
  }
}

function wordsOf(facts: HeardFacts, record: UtteranceRecord): readonly SpokenWord[] {
  const times = timesOf(facts, record);
  const { start } = record.span;
  const cache = cacheOf(record);
  if (cache.listed !== times || !Object.is(cache.listedAt, start)) {
    cache.listed = times;
    cache.listedAt = start;
    const { runs, text } = record;
    cache.list = times.map((word) => spokenWord(word, runs, text, start));
  }
  return cache.list;
}

/** Finds the waiting words of a pushed input in its text. Without any text, they are the text. */
function placeWords(record: UtteranceRecord): void {
  const { timed } = record;
  const parts = record.parts!;
  let since = timed.words.at(-1)?.start ?? 0;
  const waiting = record.waitingWords.filter(({ text, start, end }) => {
    const isWord = text !== '' && start >= since && end >= start && Number.isFinite(end);
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

function wordAt(facts: HeardFacts, position: number): SpokenWord | null {
  const record = recordAt(facts, position);
  const found = record && wordsOf(facts, record).findLast(({ startTime }) => startTime <= position + EARLY_SECONDS);
  return found && found.endTime > position ? found : null;
}

/** Times of a word in its utterance, in seconds, and its offsets in what is spoken. */
interface WordTimes extends ReportedWord {
  readonly isEstimated: boolean;
}

/** Returns the records of the utterances that are kept or queued, in the order of speech. */
function recordsIn({ state, records }: HeardFacts): UtteranceRecord[] {
  return [...state.past, ...state.utterances].flatMap(({ id }) => records.get(id) ?? []);
}

function recordAt(facts: HeardFacts, position: number): UtteranceRecord | null {
  // Where one utterance ends, the next one begins.
  return recordsIn(facts).findLast(({ span }) => span.start <= position + EARLY_SECONDS) ?? null;
}

/**
 * Returns the times of words, reported or estimated, within the speech. They are computed again only if something has
 * changed.
 */
function timesOf(facts: HeardFacts, record: UtteranceRecord): readonly WordTimes[] {
  const { timed, span } = record;
  const cache = cacheOf(record);
  const seconds = span.end - span.start;
  const key = timed.isReported ? String(seconds) : estimateKey(facts, record);
  if (cache.key !== key || cache.words !== timed.words) {
    cache.key = key;
    cache.words = timed.words;
    cache.times = timed.isReported ? withinSpeech(timed.words, seconds) : estimates(record);
  }
  return cache.times;
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
  const { start } = words[0]!;
  const letters = words.reduce((sum, { from, to }) => sum + to - from, 0);
  const reported = Math.max(...words.map((word) => word.end));
  const until = reported - start >= letters * LEAST_LETTER_SECONDS ? Math.min(reported, next) : next;
  if (words.length === 1 || until === Infinity) return [{ ...words[0]!, isEstimated: false }];
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

/** @param at - Start of the utterance on the timeline, in seconds. */
function spokenWord(word: WordTimes, runs: readonly Run[], text: string, at: number): SpokenWord {
  const { from, to } = originalRange(runs, word.from, word.to);
  return Object.freeze({
    from,
    to,
    text: text.slice(from, to),
    startTime: at + word.start,
    endTime: at + word.end,
    isEstimated: word.isEstimated,
  });
}

/** Returns the visemes of an utterance, with the silence between its sounds. */
function visemesOf(record: UtteranceRecord): readonly TimedViseme[] {
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

interface TimedViseme {
  readonly viseme: Viseme;
  readonly start: number;
  readonly end: number;
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

export function makeSpokenWords(facts: () => WordFacts): SpokenWords {
  return new WordClock(facts);
}
