import type { Place } from '../place.js';
import { atOnce } from './at-once.js';
import { sessionUrl, SpeechSocket } from './speech-socket.js';

/** Sockets of one account that are opened at the same time. */
export interface AttemptJob {
  /** Nodes, used in turn. */
  readonly places: readonly Place[];
  readonly attempts: number;
}

/** Opens the sockets. Admitted ones send a text and stay open until all have been answered. */
export async function attempt(job: AttemptJob): Promise<{ admitted: number; refused: number; others: number }> {
  const urls: string[] = [];
  await atOnce(job.attempts, 16, async (index) => {
    urls.push(await sessionUrl(job.places[index % job.places.length]!));
  });
  const sockets: SpeechSocket[] = [];
  const answers = await Promise.all(
    urls.map(async (url) => {
      const socket = new SpeechSocket(url);
      sockets.push(socket);
      const answer = new Promise<number>((resolve) => {
        socket.listener = { frame: () => resolve(0), closed: resolve };
      });
      await socket.opened.catch(() => {}); // it is closed then, which counts as an answer
      // No `end` message, so it keeps its slot.
      if (socket.socket.readyState === socket.socket.OPEN) socket.say('Hello.', 'turn-1', true);
      return await answer;
    }),
  );
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          if (socket.socket.readyState === socket.socket.CLOSED) return resolve();
          socket.listener = { closed: () => resolve() };
          socket.close();
        }),
    ),
  );
  const admitted = answers.filter((code) => code === 0).length;
  const refused = answers.filter((code) => code === 4429).length;
  return { admitted, refused, others: answers.length - admitted - refused };
}
