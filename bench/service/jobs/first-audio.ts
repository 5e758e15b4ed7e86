import type { Place } from '../place.js';
import { readMetrics, reading } from '../readings.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { SHORT_SENTENCES } from './sentences.js';
import { openSocket } from './speech-socket.js';

/** Single short sentences, one after the other, on an otherwise idle node. */
export interface FirstAudioJob {
  readonly place: Place;
  readonly sentences: number;
}

/** Sentences before those that count: they let the engine compile. */
const WARM_UP = 30;

/** Sentences per block. Blocks have separate medians, because other programs may disturb some of them. */
const BLOCK = 50;

/** Pause between two sentences, in milliseconds: enough for all work to finish. */
const PAUSE_MS = 50;

/** Time from text to first frame. */
export interface FirstAudioResult {
  /** From sending the message to receiving the first frame. */
  readonly client: Spread;
  /** From receiving the message to passing the first frame to the socket, by the service's own metric. */
  readonly server: Spread;
  /** The server's times for sentences with a comma, which begin with a short piece, and for those without. */
  readonly withComma: Spread;
  readonly withoutComma: Spread;
  /** The server's times for the block of {@link BLOCK} consecutive sentences with the lowest median. */
  readonly quietest: Spread;
}

/** Speaks each sentence in a new context. */
export async function firstAudio({ place, sentences }: FirstAudioJob): Promise<FirstAudioResult> {
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
  const blocks = Array.from({ length: Math.max(1, Math.floor(server.length / BLOCK)) }, (_, index) =>
    spreadOf(server.slice(index * BLOCK, (index + 1) * BLOCK)),
  );
  const hasComma = (index: number): boolean => SHORT_SENTENCES[index % SHORT_SENTENCES.length]!.includes(',');
  const quietest = blocks.reduce((best, block) => (block.p50 < best.p50 ? block : best));
  return {
    client: spreadOf(client),
    server: spreadOf(server),
    withComma: spreadOf(server.filter((_, index) => hasComma(index))),
    withoutComma: spreadOf(server.filter((_, index) => !hasComma(index))),
    quietest,
  };
}
