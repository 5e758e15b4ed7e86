import type { Place } from '../place.js';
import { readMetrics, reading } from '../readings.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { SHORT_SENTENCES } from './sentences.js';
import { openSocket } from './speech-socket.js';

/** One short sentence after the other on a node that does nothing else. */
export interface FirstAudioJob {
  readonly place: Place;
  readonly sentences: number;
}

/** Sentences before those that count: they compile. */
const WARM_UP = 30;

/** Between two sentences, in milliseconds: nothing is left to do by then. */
const PAUSE_MS = 50;

/**
 * Speaks each sentence on a fresh context. `client` is from the message sent to the first frame received, `server` from the
 * message received to the first frame handed to the socket, by the service's own metric.
 */
export async function firstAudio({ place, sentences }: FirstAudioJob): Promise<{ client: Spread; server: Spread }> {
  const socket = await openSocket(place);
  const sumSoFar = async (): Promise<number> =>
    reading(await readMetrics(`${place.url}/metrics`), 'svc_first_frame_seconds_sum');
  const client: number[] = [];
  const server: number[] = [];
  let sum = await sumSoFar();
  for (let index = -WARM_UP; index < sentences; index++) {
    const began = performance.now();
    let heardMs = 0;
    await new Promise<void>((resolve, reject) => {
      socket.listener = {
        frame: (pts) => {
          if (pts === 0) heardMs = performance.now() - began;
        },
        end: (_, problem) => (problem === null ? resolve() : reject(new Error(problem))),
        closed: (code) => reject(new Error(`The socket was closed with ${code}.`)),
      };
      socket.say(SHORT_SENTENCES[Math.abs(index) % SHORT_SENTENCES.length]!, `turn${index}`);
    });
    const before = sum;
    sum = await sumSoFar();
    if (index >= 0) {
      client.push(heardMs);
      server.push((sum - before) * 1000);
    }
    await pause(PAUSE_MS);
  }
  socket.listener = {};
  socket.close();
  return { client: spreadOf(client), server: spreadOf(server) };
}
