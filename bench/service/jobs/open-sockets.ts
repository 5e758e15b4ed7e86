import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { atOnce } from './at-once.js';
import { callSession, SpeechSocket } from './speech-socket.js';

/** Sockets that are opened, say one thing, and are closed, at a voice that answers at once. */
export interface OpenSocketsJob {
  /** Nodes, in turn. A URL of one is opened at that one. */
  readonly places: readonly Place[];
  readonly concurrency: number;
  /** Rounds: in each the URLs are asked for first, which is not measured, then all are opened. */
  readonly rounds: number;
  readonly socketsPerRound: number;
}

/**
 * Opens sockets. `opened` is from URL in hand to the open event, `admitted` from there to the first frame of a text that is
 * sent right away: nothing is said on a socket that is not admitted.
 */
export async function openSockets(
  job: OpenSocketsJob,
): Promise<{ perSecond: number; opened: Spread; admitted: Spread; failures: number }> {
  const opened: number[] = [];
  const admitted: number[] = [];
  let failures = 0;
  let seconds = 0;
  // One more round than is measured: the first one compiles.
  for (let round = -1; round < job.rounds; round++) {
    const urls: string[] = [];
    await atOnce(job.socketsPerRound, 16, async (index) => {
      urls.push((await callSession(job.places[index % job.places.length]!)).url);
    });
    const beganAt = performance.now();
    await atOnce(urls.length, job.concurrency, async (index) => {
      const times = await openOne(urls[index]!);
      if (!times) failures++;
      else if (round >= 0) {
        opened.push(times.opened);
        admitted.push(times.admitted);
      }
    });
    if (round >= 0) seconds += (performance.now() - beganAt) / 1000;
  }
  return { perSecond: opened.length / seconds, opened: spreadOf(opened), admitted: spreadOf(admitted), failures };
}

/** @returns Milliseconds; `null` if it was not admitted. */
async function openOne(url: string): Promise<{ opened: number; admitted: number } | null> {
  const began = performance.now();
  const socket = new SpeechSocket(url);
  const heard = new Promise<number | null>((resolve) => {
    socket.listener = { frame: () => resolve(performance.now() - began), closed: () => resolve(null) };
  });
  await socket.opened;
  const opened = performance.now() - began;
  socket.say('Hello.');
  const admitted = await heard;
  socket.close();
  return admitted === null ? null : { opened, admitted };
}
