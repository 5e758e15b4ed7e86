import type { TapePlace } from '../connection/command.js';
import { hasAudio, type PlaybackState, type QueuedUtterance } from './state.js';

/** An utterance with audio, and its start in seconds. */
export interface PlacedUtterance {
  readonly utterance: QueuedUtterance;
  readonly start: number;
}

/**
 * Returns the utterances on the timeline, from the oldest that may be kept: those that are over, then those that play
 * or wait. The list ends before the first utterance whose start is not known yet.
 */
export function placed({ past, utterances, timeline }: PlaybackState): PlacedUtterance[] {
  const list = past.map((utterance) => ({ utterance, start: utterance.start! }));
  let start = timeline.past;
  for (const utterance of utterances) {
    start = utterance.start ?? start;
    list.push({ utterance, start });
    if (utterance.seconds === null) break;
    start += utterance.seconds;
  }
  return list;
}

/** Returns the range that can be sought, in seconds; null if nothing is kept. */
export function seekableRange(state: PlaybackState): { readonly start: number; readonly end: number } | null {
  const { oldest, newest } = state;
  if (!oldest) return null;
  const list = placed(state);
  const start = timeOf(list, oldest, state.sampleRate) ?? list[0]?.start;
  if (start === undefined) return null;
  const known = list.flatMap(({ utterance, start: at }) => (utterance.seconds === null ? [] : at + utterance.seconds));
  const end = Math.max(known.at(-1) ?? 0, (newest && timeOf(list, newest, state.sampleRate)) ?? 0);
  return end > start ? { start, end } : null;
}

/** Finds an utterance with audio whose samples so far are all kept. */
export function keptWhole(state: PlaybackState, id: number): PlacedUtterance | undefined {
  const range = seekableRange(state);
  return placed(state).find(
    ({ utterance, start }) => utterance.id === id && hasAudio(utterance) && range && start >= range.start,
  );
}

function timeOf(list: readonly PlacedUtterance[], { serial, sample }: TapePlace, rate: number): number | undefined {
  const found = list.find(({ utterance }) => utterance.serial === serial);
  return found && found.start + Math.min(sample / rate, found.utterance.seconds ?? Number.POSITIVE_INFINITY);
}
