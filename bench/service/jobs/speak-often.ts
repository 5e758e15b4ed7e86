import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { SHORT_SENTENCES } from './sentences.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Users who repeatedly speak a short sentence, each in a new context. */
export interface SpeakOftenJob {
  /** The node, with the API key of each user. */
  readonly places: readonly Place[];
  readonly seconds: number;
  /** Mean time between the beginnings of two sentences of a user, in milliseconds. */
  readonly everyMs: number;
  /**
   * True to use a new socket for each sentence, like the reference clients, which close it on `context_done`; false to
   * use one socket for all. Sentences are longer than the time between them: on one socket, all but the first one are
   * sent before they could be heard.
   */
  readonly freshSockets: boolean;
}

/** Speaks. `firstAudio` is the time from sending the message to receiving the first frame. */
export async function speakOften(job: SpeakOftenJob): Promise<{ firstAudio: Spread; problems: number }> {
  const firstAudio: number[] = [];
  let problems = 0;
  const until = performance.now() + job.seconds * 1000;
  const use = async (place: Place, user: number): Promise<void> => {
    let socket = await openSocket(place);
    for (let turn = 0; performance.now() < until; turn++) {
      const began = performance.now();
      const everyMs = job.everyMs * (0.5 + Math.random());
      await new Promise<void>((resolve) => {
        socket.listener = {
          frame: (pts) => {
            if (pts === 0) firstAudio.push(performance.now() - began);
          },
          end(_, problem) {
            if (problem !== null) problems++;
            resolve();
          },
          closed() {
            problems++;
            resolve();
          },
        };
        socket.say(SHORT_SENTENCES[(user + turn) % SHORT_SENTENCES.length]!, `turn${turn}`);
      });
      await pause(Math.max(0, began + everyMs - performance.now()));
      if (!job.freshSockets) continue;
      hangUp(socket);
      socket = await openSocket(place);
    }
    hangUp(socket);
  };
  await Promise.all(job.places.map(use));
  return { firstAudio: spreadOf(firstAudio), problems };
}

function hangUp(socket: SpeechSocket): void {
  socket.listener = {};
  socket.close();
}
