/** The steps of the machine that end utterances: received, heard, cancelled or failed. They also end playback. */
import type { SpeakerError } from '../base/speaker-error.js';
import { endOfPast, goTo, keepHeard } from './history.js';
import { hasAudio, type QueuedUtterance } from './state.js';
import { placed } from './timeline.js';
import type { Turn } from './turn.js';

/** Handles the complete reception of an utterance. */
export function received(turn: Turn, serial: number, samples: number): void {
  const utterance = turn.findFresh(serial);
  if (!utterance) return;
  // If there is no sample, there may have been no session and so no sample rate.
  turn.update({ ...utterance, phase: 'received', seconds: samples && samples / turn.state.sampleRate });
  // As in HTML, the last `progress` is not delayed. Listeners that read `seekable` on `progress` would miss its end.
  if (samples > 0) turn.dispatch('progress');
  turn.complete();
  finishSilent(turn);
  if (!turn.hasSpeech && turn.state.mode !== 'playing') drained(turn);
}

/** Ends an utterance whose last sample has been heard. */
export function finish(turn: Turn, serial: number): void {
  const utterance = turn.find(serial);
  if (!utterance) return;
  const { id, failure, phase, seconds } = utterance;
  const isReplay = phase === 'replay';
  const isHead = id === turn.head?.id;
  if (isReplay && !isHead) return;
  const { replaying } = turn.state;
  turn.remove([id]);
  if (seconds !== null) turn.pass(utterance, seconds, isHead);
  else if (isHead) turn.cut();
  turn.effects.push({ do: 'dispatch', event: { type: 'utteranceend', id } });
  if (!isReplay) turn.settle(id, failure, true);
  finishSilent(turn);
  if (replaying !== id) return;
  turn.state.replaying = null;
  if (turn.hasSpeech) turn.hold('paused');
  // Without this seek, the worker writes nothing after the replayed utterance, not even new speech.
  goTo(turn, turn.state.timeline.past, false);
  // The seek has dropped the event of the audio thread.
  if (!turn.hasSpeech) drained(turn);
}

/** Ends the first utterance if it has no samples: the audio thread has no mark for its end. */
function finishSilent(turn: Turn): void {
  if (turn.head?.seconds === 0) finish(turn, turn.head.serial);
}

/** Waits for more speech, or ends, after everything received has been heard. */
export function drained(turn: Turn): void {
  const { mode, endsInError } = turn.state;
  if (turn.hasSpeech) turn.wait();
  else if (mode === 'waiting' || mode === 'playing' || mode === 'paused') {
    if (endsInError) breakOff(turn);
    else turn.end();
  }
}

/** Stops with an error: more speech was wanted, but none follows. */
function breakOff(turn: Turn): void {
  stop(turn);
  turn.effects.push({
    do: 'settle-plays',
    error: new DOMException(turn.state.error?.message ?? '', 'NotSupportedError'),
  });
}

/** Goes idle because nothing is left to play. */
export function stop(turn: Turn): void {
  turn.complete();
  turn.hold('idle');
}

/**
 * Removes utterances from the queue and silences them.
 *
 * @returns False if they were over already.
 */
export function drop(turn: Turn, utterances: readonly QueuedUtterance[], reason: unknown): boolean {
  const dropped = turn.state.utterances.filter((one) => utterances.some(({ id }) => id === one.id));
  const [first] = dropped;
  if (!first) return false;
  const replays = dropped.filter(({ phase }) => phase === 'replay');
  const fresh = dropped.filter(({ phase }) => phase !== 'replay');
  const list = placed(turn.state);
  const begun = fresh.find(hasAudio);
  const start = list.find(({ utterance }) => utterance.id === begun?.id)?.start;
  if (first.id === turn.head?.id && first === begun) turn.cut();
  const isHead = begun && begun.id === turn.head?.id;
  turn.remove(dropped.map(({ id }) => id));
  for (const one of replays) turn.keep(one);
  const last = replays.at(-1);
  if (last && first.phase === 'replay') turn.moveTo(last.start! + last.seconds!, last.start! + last.seconds!);
  // The kept part would lie before a replay that goes on.
  const isLast = begun && start !== undefined && turn.head?.phase !== 'replay';
  const kept = isLast ? keepHeard(turn, begun, start, isHead ? turn.state.timeline.past : 0) : null;
  const serials = fresh.filter(({ phase }) => phase !== 'queued').map(({ serial }) => serial);
  if (serials.length > 0) turn.cancel(serials, kept);
  for (const { id } of fresh) turn.settle(id, reason);
  // Before the last seek, it may have been heard beyond the current position.
  const end = endOfPast(turn);
  const isBehind = kept !== null && end > turn.state.timeline.past;
  if (isBehind) turn.moveTo(end, end);
  if (isBehind || (replays.length > 0 && !turn.hasSpeech)) goTo(turn, end, false);
  turn.complete();
  return true;
}

/**
 * Handles the failure of utterances on the way from the service. They get no more audio, and no more of their text. Those
 * that have arrived whole, perhaps without a sample, do not fail.
 */
export function lose(turn: Turn, utterances: readonly QueuedUtterance[], error: SpeakerError): void {
  const { newest, sampleRate } = turn.state;
  const lost = utterances.filter(({ seconds }) => seconds === null);
  for (const one of lost) if (hasAudio(one)) turn.effects.push({ do: 'end', id: one.id, serial: one.serial });
  // The worker has just reported how much it received. Once more speech arrives, it reports that of another one.
  fail(
    turn,
    lost.map((one) => (one.serial === newest?.serial ? asReceived(one, newest.sample / sampleRate) : one)),
    error,
  );
}

/** Marks an utterance as received up to `seconds`, if that is any. */
function asReceived(utterance: QueuedUtterance, seconds: number): QueuedUtterance {
  return seconds > 0 ? { ...utterance, phase: 'received', seconds } : utterance;
}

/**
 * Marks utterances as failed because they get no more audio.
 *
 * @param dropped - Those of them that will not be heard at all.
 */
export function fail(
  turn: Turn,
  utterances: readonly QueuedUtterance[],
  error: SpeakerError,
  dropped: readonly QueuedUtterance[] = utterances.filter((one) => !hasAudio(one)),
): void {
  if (utterances.length === 0) return;
  const last = turn.state.utterances.at(-1);
  turn.state.endsInError ||= utterances.some(({ id }) => id === last?.id);
  for (const one of utterances) turn.update({ ...one, failure: error });
  turn.fail(error);
  drop(turn, dropped, error);
  if (!turn.hasSpeech && turn.state.mode !== 'playing') breakOff(turn);
}
