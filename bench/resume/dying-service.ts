import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeFrame } from '../../src/protocol/index.js';

/** Ways in which a line dies: by FIN or RST without a close frame, in silence, or because the service goes away. */
export const DEATHS = ['FIN', 'RST', 'black hole', 'close 1001'] as const;
/** Frequencies of the words, in Hz. */
export const TONES = Array.from({ length: 12 }, (_, index) => 400 + 150 * index);
export const WORD_SECONDS = 0.24;
/** Share of a word that is its tone; before it is silence. */
export const TONE_SHARE = 0.92;
export const TEXT = `${TONES.map((_, index) => `w${index}`).join(' ')}.`;

const RATE = 24_000;
const FRAME_SAMPLES = 960;
/** One line: where and how its first connection dies. */
export interface Plan {
  readonly id: string;
  /** Seconds of speech that are sent before. */
  readonly at: number;
  readonly death: (typeof DEATHS)[number];
  /** Speed of the frames, as a multiple of real time. */
  readonly pace: number;
  readonly isTimed: boolean;
}

/** A service whose first connection of each line dies. */
export interface DyingService {
  readonly url: string;
  /** Characters of text that a line has sent on all of its connections. */
  charactersOf(id: string): number;
  close(): void;
}

interface SpokenText {
  readonly contextId: string;
  readonly text: string;
}

export async function startDyingService(): Promise<DyingService> {
  const characters = new Map<string, number>();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket, request) => {
    const query = new URL(request.url!, 'http://localhost').searchParams;
    const plan = JSON.parse(query.get('plan')!) as Plan;
    const dies = query.get('session') === '0';
    let text = '';
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; text?: string; context_id: string };
      if (message.type === 'synthesize') {
        text += message.text;
        characters.set(plan.id, (characters.get(plan.id) ?? 0) + message.text!.length);
      } else {
        void speak(socket, request.socket, { text, contextId: message.context_id }, plan, dies);
      }
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    charactersOf: (id) => characters.get(id) ?? 0,
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

async function speak(
  socket: WebSocket,
  line: Socket,
  { text, contextId }: SpokenText,
  plan: Plan,
  dies: boolean,
): Promise<void> {
  const words = Array.from(text.matchAll(/w(\d+)/g), ({ 0: word, 1: number, index }, at) => ({
    number: Number(number),
    time: { from: index, to: index + word.length, start: at * WORD_SECONDS, end: (at + 1) * WORD_SECONDS },
  }));
  const length = Math.round(words.length * WORD_SECONDS * RATE);
  const end = dies ? Math.min(length, Math.round(plan.at * RATE)) : length;
  const begun = performance.now();
  let reported = 0;
  for (let from = 0, sequence = 0; from < end; from += FRAME_SAMPLES, sequence++) {
    const samples = Int16Array.from({ length: Math.min(FRAME_SAMPLES, end - from) }, (_, index) =>
      sampleAt(words, from + index),
    );
    const wait = begun + (from / RATE / plan.pace) * 1000 - performance.now();
    if (wait > 0) await sleep(wait);
    if (socket.readyState !== socket.OPEN) return;
    // As svc-service does: a word is reported before its first sample.
    const due = words.filter(({ time }) => time.start < (from + samples.length) / RATE);
    report(due.slice(reported));
    reported = due.length;
    socket.send(new Uint8Array(encodeFrame({ version: 1, flags: 0, context: 1, sequence, pts: from }, samples, 'big')));
  }
  if (dies) return die(socket, line, plan.death);
  report(words.slice(reported));
  socket.send(JSON.stringify({ type: 'context_done', context_id: contextId }));

  function report(some: typeof words): void {
    if (!plan.isTimed || some.length === 0) return;
    socket.send(JSON.stringify({ type: 'timings', context_id: contextId, words: some.map(({ time }) => time) }));
  }
}

function die(socket: WebSocket, line: Socket, death: Plan['death']): void {
  if (death === 'FIN') line.end();
  else if (death === 'RST') line.resetAndDestroy();
  else if (death === 'close 1001') socket.close(1001);
}

function sampleAt(words: readonly { readonly number: number }[], at: number): number {
  const seconds = at / RATE;
  const index = Math.floor(seconds / WORD_SECONDS);
  const within = seconds - index * WORD_SECONDS;
  const word = words[index];
  const tone = within - WORD_SECONDS * (1 - TONE_SHARE);
  if (!word || tone < 0) return 0;
  return Math.round(12_000 * Math.sin(2 * Math.PI * TONES[word.number]! * tone));
}
