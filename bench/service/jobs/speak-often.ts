import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { SHORT_SENTENCES } from './sentences.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Users who each say a short sentence now and then, on a fresh context. */
export interface SpeakOftenJob {
  readonly place: Place;
  readonly users: number;
  readonly seconds: number;
  /** Between the beginnings of two sentences of a user, on average, in milliseconds. */
  readonly everyMs: number;
  /**
   * Each sentence on a socket of its own, as the reference clients do it, which close on `context_done`; else all on one.
   * Sentences are longer than the time between them: on one socket, all but the first come before they could be heard.
   */
  readonly freshSockets: boolean;
}

/** Speaks; `firstAudio` is from the message sent to the first frame received. */
export async function speakOften(job: SpeakOftenJob): Promise<{ firstAudio: Spread; problems: number }> {
  const firstAudio: number[] = [];
  let problems = 0;
  const until = performance.now() + job.seconds * 1000;
  const use = async (user: number): Promise<void> => {
    let socket = await openSocket(job.place);
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
      socket = await openSocket(job.place);
    }
    hangUp(socket);
  };
  await Promise.all(Array.from({ length: job.users }, (_, user) => use(user)));
  return { firstAudio: spreadOf(firstAudio), problems };
}

function hangUp(socket: SpeechSocket): void {
  socket.listener = {};
  socket.close();
}
