import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { Sound, SpeechSource } from '../../src/testing/index.js';

/** Bytes in front of the audio of a binary frame (interface-spec 2.4). */
const HEADER_BYTES = 12;

/** What went over one socket of the page. */
export interface RecordedSocket {
  /** Rate of its audio in Hz, from the session's URL. */
  readonly sampleRate: number;
  /** Messages of the page, in order, as text. */
  readonly asked: string[];
  /** Text messages of the service, in order. */
  readonly told: string[];
  /** Audio of the service, in order, without the headers. */
  readonly audio: Buffer[];
  /** With which code the page closed it; null while it is open. */
  closeCode: number | null;
}

/**
 * A way for the page's sockets that keeps a copy of all that passes. The socket lives in a worker, where the browser's
 * own tools do not reach; so the page is given a session whose URL leads through here.
 */
export class RecordingProxy implements SpeechSource {
  readonly sockets: RecordedSocket[] = [];
  readonly #server: WebSocketServer;
  /** Address of the service for each path and query that the page may come with. */
  readonly #services = new Map<string, string>();

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket, request) => this.#relay(socket, this.#services.get(request.url ?? '')));
  }

  /** Listens on a free port of loopback. */
  static async start(): Promise<RecordingProxy> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await new Promise((resolve) => server.once('listening', resolve));
    return new RecordingProxy(server);
  }

  /** Leads the sockets of `page` through here, by changing the address in the sessions it gets. */
  async lead(page: Page): Promise<void> {
    await page.route('**/speech/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as { url: string };
      const url = new URL(session.url);
      this.#services.set(url.pathname + url.search, session.url);
      url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
      await route.fulfill({ response, json: { ...session, url: url.href } });
    });
  }

  /** All audio the service has sent so far, over one socket or over all of them: what the page should play. */
  sent(socket?: RecordedSocket): Sound {
    const bytes = Buffer.concat((socket ? [socket] : this.sockets).flatMap(({ audio }) => audio));
    const samples = new Int16Array(bytes.length >> 1);
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(2 * index);
    return { samples, sampleRate: (socket ?? this.sockets[0])?.sampleRate ?? 24_000 };
  }

  /** Drops all sockets and stops listening. */
  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(page: WebSocket, address: string | undefined): void {
    if (!address) {
      page.close(1008, 'no such session');
      return;
    }
    const sampleRate = Number(new URL(address).searchParams.get('sample_rate') ?? 24000);
    const record: RecordedSocket = { sampleRate, asked: [], told: [], audio: [], closeCode: null };
    this.sockets.push(record);
    const service = new WebSocket(address, { perMessageDeflate: false });
    const early: RawData[] = [];
    page.on('message', (data) => {
      record.asked.push(data.toString());
      if (service.readyState === WebSocket.OPEN) service.send(data, { binary: false });
      else early.push(data);
    });
    service.on('open', () => {
      for (const data of early) service.send(data, { binary: false });
    });
    service.on('message', (data: Buffer, isBinary) => {
      if (isBinary) record.audio.push(data.subarray(HEADER_BYTES));
      else record.told.push(data.toString());
      page.send(data, { binary: isBinary });
    });
    page.on('close', (code) => {
      record.closeCode = code;
      closeWith(service, code);
    });
    service.on('close', (code) => closeWith(page, code));
    // What a broken socket means is told by its close.
    page.on('error', () => undefined);
    service.on('error', () => undefined);
  }
}

/** Passes a close on. Codes that stand for "none was sent" cannot be sent. */
function closeWith(socket: WebSocket, code: number): void {
  if (code === 1005 || code === 1006) socket.terminate();
  else socket.close(code);
}
