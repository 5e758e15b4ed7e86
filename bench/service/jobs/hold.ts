import type { Place } from '../place.js';
import { atOnce } from './at-once.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Sockets that stay open until the client receives `end`. */
export interface HoldJob {
  /** Nodes, used in turn. */
  readonly places: readonly Place[];
  readonly sockets: number;
  /** Seconds of speech for each, with a voice that speaks for a given number of seconds; none by default. */
  readonly speak?: number;
}

/** History of a socket. */
export interface HeldSocket {
  /** Index of its node. */
  readonly place: number;
  /** From its open event until it was closed by either side, in milliseconds. */
  readonly openMs: number;
  /** 1000 if this client closed it, after `end`. */
  readonly code: number;
  readonly frames: number;
}

/** Opens sockets, sends `ready`, and closes them on the message `end`. */
export async function hold({ places, sockets, speak }: HoldJob): Promise<{ held: HeldSocket[] }> {
  const held: { result: Promise<HeldSocket>; socket: SpeechSocket }[] = [];
  await atOnce(sockets, 16, async (index) => {
    const place = index % places.length;
    const socket = await openSocket(places[place]!);
    const openedAt = performance.now();
    let frames = 0;
    const result = new Promise<HeldSocket>((resolve) => {
      socket.listener = {
        frame: () => frames++,
        closed: (code) => resolve({ place, openMs: performance.now() - openedAt, code, frames }),
      };
    });
    if (speak !== undefined) socket.say(String(speak));
    held.push({ result, socket });
  });
  const told = new Promise<void>((resolve) => process.once('message', () => resolve()));
  process.send!('ready');
  await told;
  for (const { socket } of held) socket.close();
  return { held: await Promise.all(held.map(({ result }) => result)) };
}
