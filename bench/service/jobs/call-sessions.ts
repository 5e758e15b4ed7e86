import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { callSession } from './speech-socket.js';

/** Session calls at full speed. */
export interface CallSessionsJob {
  /** Nodes, used in turn. */
  readonly places: readonly Place[];
  /** Number of concurrent calls. */
  readonly concurrency: number;
  readonly seconds: number;
}

/** Makes calls for a while. Answers in the first second do not count. */
export async function callSessions({ concurrency, places, seconds }: CallSessionsJob): Promise<{
  perSecond: number;
  ms: Spread;
  failures: number;
}> {
  const from = performance.now() + 1000;
  const until = from + seconds * 1000;
  const times: number[] = [];
  let failures = 0;
  const call = async (place: Place): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      const { status } = await callSession(place);
      const ended = performance.now();
      if (status !== 200) failures++;
      else if (ended >= from && ended < until) times.push(ended - began);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, index) => call(places[index % places.length]!)));
  return { perSecond: times.length / seconds, ms: spreadOf(times), failures };
}
