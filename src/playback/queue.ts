/** Utterances that enter the queue, and then the worker. */
import type { QueuedUtterance } from './state.js';
import type { Turn } from './turn.js';

/** Makes an utterance with the next id, for the end of the queue. */
export function makeUtterance(
  turn: Turn,
  contextId: string,
  origin: QueuedUtterance['origin'],
  words: QueuedUtterance['words'],
  hasText: boolean,
): QueuedUtterance {
  const id = ++turn.state.lastId;
  const queued = { id, serial: 0, contextId, origin, words, hasText, firstAudioMs: 0, seconds: null, failure: null };
  return { ...queued, start: null, from: 0, reached: 0, isReplay: false };
}

/** Gives the wanted utterances their serials, in the order of speech, and hands them to the worker. */
export function enqueue(turn: Turn, wanted: (utterance: QueuedUtterance) => boolean): void {
  const fresh: QueuedUtterance[] = [];
  turn.state.utterances = turn.state.utterances.map((one) => {
    if (!wanted(one)) return one;
    const numbered = { ...one, serial: ++turn.state.lastSerial };
    fresh.push(numbered);
    return numbered;
  });
  if (fresh.length > 0) turn.effects.push({ do: 'enqueue', utterances: fresh });
}
