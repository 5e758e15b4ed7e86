import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { atOnce } from './at-once.js';
import { callSession, SpeechSocket } from './speech-socket.js';

/** Sockets that are opened, speak once and are closed, with a voice that answers at once. */
export interface OpenSocketsJob {
  /** Nodes, used in turn. Each URL is opened at the node that issued it. */
  readonly places: readonly Place[];
  readonly concurrency: number;
  /** Each round first requests the URLs, which is not measured, then opens all sockets. */
  readonly rounds: number;
  readonly socketsPerRound: number;
}

/**
 * Opens sockets. `opened` is the time from having the URL to the open event. `admitted` is the time from having the URL
 * to the first frame of a text that is sent at once: a socket that is not admitted gets no speech.
 */
export async function openSockets(
  job: OpenSocketsJob,
): Promise<{ perSecond: number; opened: Spread; admitted: Spread; failures: number }> {
  const opened: number[] = [];
  const admitted: number[] = [];
  let failures = 0;
  let seconds = 0;
  // One extra round at the beginning lets the engine compile.
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

/** @returns Times in milliseconds; `null` if the socket was not admitted. */
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
