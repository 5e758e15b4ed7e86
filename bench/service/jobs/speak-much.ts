import type { Place } from '../place.js';
import { atOnce } from './at-once.js';
import { SHORT_SENTENCES } from './sentences.js';
import { openSocket } from './speech-socket.js';

/** Many utterances on four sockets at a time, fifty on each. */
export interface SpeakMuchJob {
  readonly place: Place;
  readonly utterances: number;
}

const PER_SOCKET = 50;
const SOCKETS = 4;

/** Speaks all utterances. */
export async function speakMuch({ place, utterances }: SpeakMuchJob): Promise<{ frames: number }> {
  let frames = 0;
  await atOnce(Math.ceil(utterances / PER_SOCKET), SOCKETS, async (index) => {
    const socket = await openSocket(place);
    for (let spoken = 0; spoken < Math.min(PER_SOCKET, utterances - index * PER_SOCKET); spoken++) {
      await new Promise<void>((resolve, reject) => {
        socket.listener = {
          frame: () => frames++,
          end: (_, problem) => (problem === null ? resolve() : reject(new Error(problem))),
          closed: (code) => reject(new Error(`The socket was closed with ${code}.`)),
        };
        socket.say(SHORT_SENTENCES[spoken % SHORT_SENTENCES.length]!, `turn${spoken}`);
      });
    }
    socket.listener = {};
    socket.close();
  });
  return { frames };
}
