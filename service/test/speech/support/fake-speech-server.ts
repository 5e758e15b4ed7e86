import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How servers that exist answer `POST /v1/audio/speech` (research/service.md, 2). */
export const STYLES = {
  /** Raw, with no word of its rate. */
  openai: { type: 'audio/pcm', header: false, rate: 24_000 },
  /** The same, one chunk per sentence. */
  kokoro: { type: 'audio/pcm', header: false, rate: 24_000 },
  /** Raw, in the rate of its model, of which it says nothing. */
  speaches: { type: 'audio/pcm', header: false, rate: 22_050 },
  openedai: { type: 'audio/pcm;rate=22050', header: false, rate: 22_050 },
  /** A WAV file of unknown length, whatever was asked for. */
  localai: { type: 'audio/wav', header: true, rate: 16_000 },
} as const;

/** What it was asked. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

type Answer = (response: ServerResponse, samples: Int16Array, input: string) => void | Promise<void>;

/** A speech server whose speech is known: 240 samples per character at 24 kHz, of its code. */
export class FakeSpeechServer {
  readonly asked: Asked[] = [];
  /** Requests that the client gave up. */
  aborted = 0;
  /** Requests that run now, and most that did so at a time. */
  running = 0;
  runningMost = 0;
  style: keyof typeof STYLES = 'openai';
  /** How it answers; audio in the current style by default. Those of `script` come first, one each. */
  answer: Answer = (response, samples) => this.sendAudio(response, samples);
  readonly script: Answer[] = [];
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  #seed = 1;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves when `test` is true; looked at whenever something happens here. */
  async until(test: () => boolean): Promise<void> {
    while (!test()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Sends audio in writes of random odd sizes. */
  async sendAudio(response: ServerResponse, samples: Int16Array, bytesMost = Infinity): Promise<void> {
    const { type, header } = STYLES[this.style];
    response.writeHead(200, { 'content-type': type });
    const raw = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const bytes = header ? Buffer.concat([waveHeader(STYLES[this.style].rate), raw]) : raw;
    for (let from = 0; from < Math.min(bytes.length, bytesMost);) {
      const size = 1 + 2 * Math.floor(this.#random() * 2000);
      if (response.destroyed) return;
      response.write(bytes.subarray(from, from + size));
      from += size;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (bytesMost === Infinity) response.end();
    else response.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    this.asked.push({ path: request.url!, authorization: request.headers.authorization, body });
    this.runningMost = Math.max(this.runningMost, ++this.running);
    response.on('close', () => {
      this.running--;
      if (!response.writableFinished) this.aborted++;
      this.#notify();
    });
    this.#notify();
    const answer = this.script.shift() ?? this.answer;
    await answer(response, speechOf(String(body.input), STYLES[this.style].rate), String(body.input));
  }

  #notify(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** D. H. Lehmer's generator, so that each run is the same. */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

/** 10 ms for each character, a steady value that depends on it. */
export function speechOf(text: string, rate: number): Int16Array {
  const each = Math.round(rate / 100);
  const samples = new Int16Array(text.length * each);
  for (let at = 0; at < text.length; at++)
    samples.fill(1000 + 50 * (text.charCodeAt(at) % 100), at * each, (at + 1) * each);
  return samples;
}

/** Header of a WAV file whose length is not known. */
export function waveHeader(
  rate: number,
  { channels = 1, dataSize = 0xffff_ffff, extra = Buffer.alloc(0) } = {},
): Buffer {
  const header = Buffer.alloc(36);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(0xffff_ffff, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(2 * channels * rate, 28);
  header.writeUInt16LE(2 * channels, 32);
  header.writeUInt16LE(16, 34);
  const data = Buffer.alloc(8);
  data.write('data', 0, 'latin1');
  data.writeUInt32LE(dataSize, 4);
  return Buffer.concat([header, extra, data]);
}
