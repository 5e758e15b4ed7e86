import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { Sound, SpeechSource } from '../../src/testing/index.js';

/** Length in bytes of the header in front of the audio of a binary frame (interface-spec 2.4). */
const HEADER_BYTES = 12;

/** Traffic of one socket of the page. */
export interface RecordedSocket {
  /** Sample rate of its audio in Hz, from the session's URL. */
  readonly sampleRate: number;
  /** Messages from the page, in order, as text. */
  readonly asked: string[];
  /** Text messages from the service, in order. */
  readonly told: string[];
  /** Audio from the service, in order, without the headers. */
  readonly audio: Buffer[];
  /** Code with which the page closed the socket; null while it is open. */
  closeCode: number | null;
}

/**
 * Proxy of the page's sockets that keeps a copy of all traffic. The socket is in a worker, which the browser's own
 * tools do not reach, so the page gets a session whose URL leads to this proxy.
 */
export class RecordingProxy implements SpeechSource {
  readonly sockets: RecordedSocket[] = [];
  readonly #server: WebSocketServer;
  /** URL of the service for each path and query that the page may connect with. */
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

  /** Redirects the sockets of `page` to this proxy, by changing the URL in the sessions that it gets. */
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

  /** Returns all audio that the service has sent so far, over one socket or all of them: what the page should play. */
  sent(socket?: RecordedSocket): Sound {
    const bytes = Buffer.concat((socket ? [socket] : this.sockets).flatMap(({ audio }) => audio));
    const samples = new Int16Array(bytes.length >> 1);
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(2 * index);
    return { samples, sampleRate: (socket ?? this.sockets[0])?.sampleRate ?? 24_000 };
  }

  /** Terminates all sockets and stops listening. */
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
    // A broken socket also dispatches `close`, which is handled above.
    page.on('error', () => undefined);
    service.on('error', () => undefined);
  }
}

/** Closes `socket` with the same code. 1005 and 1006 mean that no code was sent, and cannot be sent. */
function closeWith(socket: WebSocket, code: number): void {
  if (code === 1005 || code === 1006) socket.terminate();
  else socket.close(code);
}
