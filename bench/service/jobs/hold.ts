import type { Place } from '../place.js';
import { atOnce } from './at-once.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Sockets that stay open until the client is told to end. */
export interface HoldJob {
  /** Nodes, in turn. */
  readonly places: readonly Place[];
  readonly sockets: number;
  /** Seconds that each is to be spoken to, by a voice that takes a number; nothing by default. */
  readonly speak?: number;
}

/** What became of a socket. */
export interface HeldSocket {
  /** Index of its node. */
  readonly place: number;
  /** From its open event until it was closed, by whomever, in milliseconds. */
  readonly openMs: number;
  /** 1000 if we closed it, once we were told to end. */
  readonly code: number;
  readonly frames: number;
}

/** Opens sockets, says that it is `ready`, and closes them when it is told to `end`. */
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
