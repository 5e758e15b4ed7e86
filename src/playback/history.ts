/** The rules of what is kept, and of seeking. */
import type { KeptPart, SeekTarget } from '../connection/command.js';
import { hasAudio, isPaused, NetworkState, type QueuedUtterance, ReadyState } from './state.js';
import { keptWhole, placed, seekableRange } from './timeline.js';
import type { PlaybackInput } from './input.js';
import type { Turn } from './turn.js';

/** Minimum time between two `progress` events. HTML asks for one about every 350 ms, while bytes arrive. */
const PROGRESS_MS = 350;

/**
 * Seeks to `seconds` or the nearest kept position, as in HTML.
 *
 * @param replaying - Id of the utterance after which playback pauses; null for none.
 */
export function seek(turn: Turn, seconds: number, replaying: number | null = null): void {
  const range = seekableRange(turn.state);
  if (!range) return;
  turn.state.replaying = replaying;
  turn.dispatch('seeking');
  goTo(turn, Math.max(range.start, Math.min(seconds, range.end)), replaying !== null);
  turn.state.seeking = turn.state.lastSeek;
  const { mode } = turn.state;
  if (mode === 'playing') turn.wait();
  else if (turn.hasSpeech && (mode === 'ended' || mode === 'idle')) turn.state.mode = 'paused';
}

/** Plays one utterance again, and pauses at its end. */
export function replay(turn: Turn, id: number): void {
  const found = keptWhole(turn.state, id);
  if (!found) return;
  seek(turn, found.start, id);
  turn.resume();
}

/**
 * Moves the position to a time that is kept. Utterances from there on that are over become replays; skipped utterances
 * are over.
 *
 * @param only - True if nothing is to play after the utterance at that time.
 */
export function goTo(turn: Turn, seconds: number, only: boolean): void {
  const list = placed(turn.state);
  const { past, utterances, sampleRate, timeline } = turn.state;
  const all = [...past, ...utterances.map((one) => noteReached(turn, one))];
  const found = list.findIndex(({ utterance, start }) => seconds < start + (utterance.seconds ?? Infinity));
  const index = found < 0 ? list.length : found;
  const start = list[index]?.start ?? timeline.past;
  const [head, ...rest] = all.slice(index);
  const from = Math.max(0, seconds - start);
  const first = turn.head;
  turn.state.past = past.slice(0, index);
  for (const { utterance, start: at } of list.slice(past.length, index)) {
    turn.keep({ ...utterance, start: at });
    if (utterance.phase === 'replay') continue;
    if (utterance.id === first?.id)
      turn.effects.push({ do: 'dispatch', event: { type: 'utteranceend', id: utterance.id } });
    turn.settle(utterance.id, utterance.failure);
  }
  turn.state.utterances = head ? [{ ...head, from }, ...rest.map((one) => ({ ...one, from: 0 }))] : [];
  turn.moveTo(seconds, head ? start : seconds);
  const number = ++turn.state.lastSeek;
  const last = turn.state.past.at(-1);
  let target: SeekTarget = last ? { after: last.serial } : 'fresh';
  if (head && hasAudio(head)) target = { at: { serial: head.serial, sample: Math.round(from * sampleRate) } };
  turn.effects.push({ do: 'forget-unheard' }, { do: 'seek', number, seconds, target, only });
}

/** Notes how much of an utterance was heard before a seek. */
function noteReached(turn: Turn, utterance: QueuedUtterance): QueuedUtterance {
  if (utterance.phase === 'replay' || utterance.id !== turn.head?.id || !hasAudio(utterance)) return utterance;
  return { ...utterance, reached: Math.max(utterance.reached, turn.position.counted - turn.state.timeline.past) };
}

/** Returns the end of the utterances that are over, in seconds. */
export function endOfPast(turn: Turn): number {
  return turn.endOfKept || turn.state.timeline.past;
}

/**
 * Handles the report that the speech requested by the seek `number` is on its way.
 *
 * @param isKept - False if the worker no longer has it.
 */
export function sought(turn: Turn, number: number, isKept: boolean): void {
  if (number !== turn.state.seeking) return;
  const replays = turn.state.utterances.filter(({ phase }) => phase === 'replay');
  const last = replays.at(-1);
  if (!isKept && last) {
    // The worker dropped them before the seek reached it. No end of them would ever be reported.
    const end = last.start! + last.seconds!;
    turn.remove(replays.map(({ id }) => id));
    turn.state.replaying = null;
    turn.moveTo(end, end);
    goTo(turn, end, false);
    turn.state.seeking = turn.state.lastSeek;
    return;
  }
  turn.state.seeking = 0;
  turn.dispatch('timeupdate', 'seeked');
  if (turn.hasSpeech) turn.canPlay(ReadyState.futureData);
  else if (turn.state.mode !== 'idle' && turn.state.mode !== 'blocked') turn.end();
}

/** Stores the range that the worker keeps, and dispatches `progress` if it is due. */
export function noteKept(
  turn: Turn,
  { nowMs, oldest, newest, quiet }: Extract<PlaybackInput, { type: 'progress' }>,
): void {
  const { state } = turn;
  const { past, networkState, progressAtMs, progressSample } = state;
  const before = seekableRange(state);
  state.oldest = oldest;
  state.newest = newest;
  if (quiet.length > 0) {
    const known = state.quiet.filter(({ serial }) => turn.findFresh(serial));
    state.quiet = [...known, ...quiet];
  }
  const first = oldest ? past.findIndex(({ serial }) => serial === oldest.serial) : past.length;
  if (first > 0) state.past = past.slice(first);
  const sample = newest?.sample ?? 0;
  // If nothing plays, the page has lowered `history`. Listeners that read `seekable` on `progress` would miss it.
  const start = seekableRange(state)?.start ?? Infinity;
  if (networkState === NetworkState.loading && sample !== progressSample && nowMs - progressAtMs >= PROGRESS_MS) {
    state.progressAtMs = nowMs;
    state.progressSample = sample;
    turn.dispatch('progress');
  } else if (isPaused(state) && before && start > before.start) {
    turn.dispatch('progress');
  }
}

/** Forgets the speech that has been heard. The current or next utterance then begins at 0. */
export function clearKept(turn: Turn): void {
  const { timeline } = turn.state;
  const { past, reached, duration } = timeline;
  turn.state.past = [];
  turn.state.oldest = null;
  turn.state.utterances = turn.state.utterances.map((one) => ({ ...one, start: one.start && one.start - past }));
  turn.state.timeline = { ...timeline, past: 0, reached: Math.max(0, reached - past) };
  turn.effects.push({ do: 'forget', serial: turn.head?.serial ?? 0, seconds: past });
  // Sums of seconds differ in the last bit, so the difference may be below 0.
  if (Number.isFinite(duration)) turn.setDuration(Math.max(0, duration - past));
  // The position and `seekable` have changed, also while nothing plays or loads.
  if (past > 0) turn.dispatch('timeupdate', 'progress');
}

/**
 * Keeps the heard part of a dropped utterance, as an utterance that is over. The part gets a serial of its own, because
 * the audio thread has cancelled that of the utterance.
 *
 * @param start - Start of the utterance, in seconds.
 * @param until - Position in seconds up to which it has been heard now.
 * @returns Null if nothing of it was heard.
 */
export function keepHeard(turn: Turn, utterance: QueuedUtterance, start: number, until: number): KeptPart | null {
  const { sampleRate } = turn.state;
  const seconds = Math.min(Math.max(utterance.reached, until - start), utterance.seconds ?? Number.POSITIVE_INFINITY);
  const samples = Math.floor(seconds * sampleRate);
  if (!(samples > 0)) return null;
  const as = ++turn.state.lastSerial;
  turn.keep({ ...utterance, serial: as, start, seconds: samples / sampleRate, isCut: true });
  return { serial: utterance.serial, samples, as };
}
