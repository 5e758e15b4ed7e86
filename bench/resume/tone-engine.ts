import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Words that can be told apart in the sound: each is a tone of its own. */
export const WORDS = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'.split(' ');
export const TEXT = `${WORDS.join(' ')}.`;
/** Frequencies of the words, in Hz. */
export const TONES = WORDS.map((_, index) => 400 + 150 * index);
export const WORD_SECONDS = 0.24;
/** Share of a word that is its tone; before it is silence. */
export const TONE_SHARE = 0.92;
export const RATE = 24_000;

/** Samples of a line of the answer. */
const PART = 960;

/** Returns the name of the voice that speaks at a multiple of real time, for one of the lines that speak at a time. */
export function voiceOf(pace: number, number: number): string {
  return `tones-${pace}-${number}`;
}

/** A speech server with the interface of Kokoro-FastAPI, whose words are tones. */
export interface ToneEngine {
  readonly url: string;
  /** Characters of text that a voice has spoken since the last call. */
  takeCharacters(voice: string): number;
  close(): void;
}

export async function startToneEngine(): Promise<ToneEngine> {
  const characters = new Map<string, number>();
  const server = createServer((request, response) => {
    if (request.method !== 'POST') response.end('{}');
    else
      void answer(request, response, (voice, text) =>
        characters.set(voice, (characters.get(voice) ?? 0) + text.length),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/speech`,
    takeCharacters: (voice) => {
      const count = characters.get(voice) ?? 0;
      characters.delete(voice);
      return count;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  note: (voice: string, text: string) => void,
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { input, voice } = JSON.parse(body) as { input: string; voice: string };
  note(voice, input);
  const pace = Number(/^tones-(\d+)/.exec(voice)?.[1] ?? 1);
  const isCaptioned = request.url!.endsWith('/captioned_speech');
  const words = input.toLowerCase().match(/[a-z]+/g) ?? [];
  const length = Math.round(words.length * WORD_SECONDS * RATE);
  response.writeHead(200, { 'Content-Type': isCaptioned ? 'application/json' : 'audio/pcm' });
  const begun = performance.now();
  for (let from = 0; from < length; from += PART) {
    const wait = begun + (from / RATE / pace) * 1000 - performance.now();
    if (wait > 0) await sleep(wait);
    if (response.closed) return;
    const to = Math.min(length, from + PART);
    const samples = Buffer.alloc((to - from) * 2);
    for (let at = from; at < to; at++) samples.writeInt16LE(sampleAt(words, at), (at - from) * 2);
    response.write(isCaptioned ? lineOf(words, samples, from, to) : samples);
  }
  response.end();
}

/** A line with the words that begin in its samples. */
function lineOf(words: readonly string[], samples: Buffer, from: number, to: number): string {
  const timestamps = words.flatMap((word, at) => {
    const start = at * WORD_SECONDS;
    const begins = start >= from / RATE && start < to / RATE;
    return begins ? [{ word, start_time: start, end_time: start + WORD_SECONDS }] : [];
  });
  return `${JSON.stringify({ audio: samples.toString('base64'), audio_format: 'audio/pcm', timestamps })}\n`;
}

function sampleAt(words: readonly string[], at: number): number {
  const seconds = at / RATE;
  const index = Math.floor(seconds / WORD_SECONDS);
  const tone = seconds - (index + 1 - TONE_SHARE) * WORD_SECONDS;
  const hertz = TONES[WORDS.indexOf(words[index]!)];
  return hertz === undefined || tone < 0 ? 0 : Math.round(12_000 * Math.sin(2 * Math.PI * hertz * tone));
}
