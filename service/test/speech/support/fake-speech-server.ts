import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responses of existing servers to `POST /v1/audio/speech`. */
export const STYLES = {
  /** Raw PCM, without its sample rate. */
  openai: { type: 'audio/pcm', header: false, rate: 24_000 },
  /** Like `openai`, in one chunk per sentence. */
  kokoro: { type: 'audio/pcm', header: false, rate: 24_000 },
  /** Raw PCM at the sample rate of its model, which it does not report. */
  speaches: { type: 'audio/pcm', header: false, rate: 22_050 },
  openedai: { type: 'audio/pcm;rate=22050', header: false, rate: 22_050 },
  /** A WAV file of unknown length, whatever format is requested. */
  localai: { type: 'audio/wav', header: true, rate: 16_000 },
} as const;

/** A request that the server received. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

type Answer = (response: ServerResponse, samples: Int16Array, input: string) => void | Promise<void>;

/** A speech server with known speech: 240 samples per character at 24 kHz, whose value depends on its code. */
export class FakeSpeechServer {
  readonly asked: Asked[] = [];
  /** Requests for the list of models, each with its authorization, and the status of their answers. */
  readonly checks: string[] = [];
  checkStatus = 200;
  /** Answer to a request for the list of voices; 404 if it is null, as at OpenAI. */
  voices: unknown = null;
  /** Number of requests that the client aborted. */
  aborted = 0;
  /** Number of running requests, and its maximum so far. */
  running = 0;
  runningMost = 0;
  style: keyof typeof STYLES = 'openai';
  /**
   * Responds to a request; by default, with audio in the current style. The responses of `script` come first, one each.
   */
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

  /** Resolves when `test` returns true. It is checked on each event of the server. */
  async until(test: () => boolean): Promise<void> {
    while (!test()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /**
   * Sends audio in writes of random odd sizes. With `bytesMost`, breaks the connection after about that number of
   * bytes.
   */
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
    if (request.method === 'GET') {
      const isVoices = request.url === '/v1/audio/voices';
      if (!isVoices) this.checks.push(`${request.url} ${request.headers.authorization}`);
      if (isVoices) response.writeHead(this.voices === null ? 404 : 200).end(JSON.stringify(this.voices));
      else response.writeHead(this.checkStatus).end();
      for (const check of this.#waiting) check();
      return;
    }
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

  /** D. H. Lehmer's random number generator, so that each run is the same. */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

/** Speech of 10 ms per character: a constant value that depends on the character. */
export function speechOf(text: string, rate: number): Int16Array {
  const each = Math.round(rate / 100);
  const samples = new Int16Array(text.length * each);
  for (let at = 0; at < text.length; at++)
    samples.fill(1000 + 50 * (text.charCodeAt(at) % 100), at * each, (at + 1) * each);
  return samples;
}

/** Header of a WAV file, by default of unknown length. */
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
