/** Records the heard part of each utterance, for `Utterance.heard`. Main thread. */
import type { heardCharacters, KnownSpeech } from './heard-text.js';
import { spokenOf } from '../speakable/runs.js';
import { originalPosition } from '../speakable/spoken-text.js';
import type { ReportedWord } from '../connection/word-times.js';
import type { PlaybackState } from './state.js';
import type { Heard, UtteranceRecord } from './utterance.js';

/** Shortest time for a letter, in seconds. Words that are reported with less take longer. */
export const LEAST_LETTER_SECONDS = 0.03;
/** Precision of the time at which silence is reported, in seconds. */
const SEAM_SECONDS = 0.3;
/** Two characters of a word, in a script that puts spaces between words. */
const IN_WORD = /^[\p{L}\p{N}\p{M}](?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}])[\p{L}\p{N}\p{M}]$/u;
/** Marks that belong to the word before them: not those that open something, nor a currency. */
const MARKS_AFTER = /^[^\p{L}\p{N}\s<\p{Sc}\p{Ps}\p{Pi}]*/u;
/** Time in seconds within which cancelled speech fades to silence. */
const RAMP_SECONDS = 0.004;

/** The part of `PlayoutClock` that the rules use. */
export interface PositionClock {
  seconds(isMoving: boolean, ago?: number): number;
  secondsOf(playedSamples: number): number;
}

/** State from which the heard part is derived. */
export interface HeardFacts {
  readonly state: PlaybackState;
  readonly clock: PositionClock;
  readonly records: ReadonlyMap<number, UtteranceRecord>;
}

/** Records that playback of an utterance begins. */
export function noteBegin(
  { state, clock, records }: HeardFacts,
  { serial, playedSamples }: { readonly serial: number; readonly playedSamples: number },
): void {
  const utterance = state.utterances.find((one) => one.serial === serial);
  const record = utterance && records.get(utterance.id);
  if (record) record.begin = clock.secondsOf(playedSamples) - utterance.from;
}

/** Records the final heard part of an utterance that is over. @param isWhole - True if its last sample has been heard. */
export function noteEnd(facts: HeardFacts, record: UtteranceRecord, isWhole: boolean): void {
  // The samples that are already rendered and the ramp to silence after them will still be heard.
  note(facts, record, -RAMP_SECONDS, isWhole);
}

/** Updates the heard part of an utterance that is not over. For `ago`, see `PlayoutClock.seconds`. */
export function note(
  { state, clock, records }: HeardFacts,
  record: UtteranceRecord,
  ago?: number,
  isWhole = false,
): void {
  const { mode, utterances, quiet, sampleRate } = state;
  const utterance = utterances.find(({ id, phase }) => id === record.id && phase !== 'replay');
  if (!utterance) return;
  const { failure, seconds, reached } = utterance;
  const now = utterance === utterances[0] ? clock.seconds(mode === 'playing', ago) - record.begin : 0;
  const furthest = Math.max(record.heard.seconds, reached, now || 0);
  // Speech that was cut has only a part of the text. A text that fails is spoken to its end.
  const length = failure && failure.reason !== 'aborted' ? null : seconds;
  record.heard = {
    seconds: isWhole ? (seconds ?? furthest) : Math.min(furthest, seconds ?? Infinity),
    length,
    earlier: length === null ? earlierSpeech(state, records) : [],
    quiet: quiet
      .filter(({ serial }) => serial === utterance.serial)
      .map(({ from, to }) => ({ from: from / sampleRate, to: to / sampleRate })),
  };
}

function earlierSpeech({ past, utterances }: PlaybackState, records: HeardFacts['records']): KnownSpeech[] {
  // Leaves out utterances of which only a part may be kept: cancelled and failed ones.
  return [...past, ...utterances].flatMap(({ id, failure, isCut, seconds }) => {
    const text = spokenOf(records.get(id)!.runs);
    return !isCut && !failure && seconds !== null && text ? [{ text, seconds }] : [];
  });
}

/**
 * Returns how much of an utterance has been heard so far.
 *
 * @param estimate - Counts the characters that were heard, where no times are reported; undefined until it is loaded.
 */
export function heardPart(
  facts: HeardFacts,
  record: UtteranceRecord,
  estimate: typeof heardCharacters | undefined,
): Heard {
  note(facts, record);
  const { parts, runs, heard, isOpen, timed } = record;
  const { seconds, length, earlier, quiet } = heard;
  if (timed.isReported) return { seconds, text: reportedText(record, seconds) };
  // The end of a text that is still being written is not known.
  const count = (parts && estimate?.(spokenOf(runs), seconds, isOpen ? null : length, earlier, quiet)) ?? 0;
  return { seconds, text: count > 0 ? record.text.slice(0, originalPosition(runs, count)) : '' };
}

/** Returns the end of a word, in seconds. One that is reported without a length takes some time, too. */
export function endOf({ from, to, start, end }: ReportedWord): number {
  return end > start ? end : start + (to - from) * LEAST_LETTER_SECONDS;
}

/** Returns the text up to the last word whose end was heard, with the marks that follow it; all of it at the end. */
function reportedText({ text, runs, heard, timed }: UtteranceRecord, seconds: number): string {
  if (heard.length !== null && seconds >= heard.length) return text;
  const spoken = spokenOf(runs);
  // If the service reports one time for several words, only the first of them is known to have been heard. A part of a
  // word is none.
  const last = timed.words.findLast(
    (word, index, words) =>
      endOf(word) <= seconds &&
      word.start !== words[index - 1]?.start &&
      !IN_WORD.test(spoken.slice(word.to - 1, word.to + 1)),
  );
  if (!last) return '';
  const marks = MARKS_AFTER.exec(spoken.slice(last.to))![0];
  return text.slice(0, originalPosition(runs, last.to + marks.length));
}

/** Returns `durationMs` if the silence that ends now lies between two parts of an utterance that was resumed, else 0. */
export function seamMs({ state, clock, records }: HeardFacts, durationMs: number): number {
  const record = records.get(state.utterances[0]?.id ?? 0);
  // Where the silence was, however late the page learns of it.
  const at = clock.seconds(true, Infinity) - (record?.begin ?? Number.NaN);
  return record?.seams.some((seam) => Math.abs(seam - at) < SEAM_SECONDS) ? durationMs : 0;
}
