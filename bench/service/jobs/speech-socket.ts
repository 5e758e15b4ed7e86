import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { Place } from '../place.js';

/** Length of a frame's header, in bytes. */
const HEADER_BYTES = 12;

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** Response to a session call. */
export interface SessionAnswer {
  readonly status: number;
  /** URL of the socket, if the status is 200. */
  readonly url: string;
}

/**
 * Makes a session call.
 *
 * @param from - Local address from which to call. Only on Linux is all of 127.0.0.0/8 local.
 */
export function callSession({ apiKey, url }: Place, body: object = {}, from?: string): Promise<SessionAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v1/realtime/stream/session`,
      {
        method: 'POST',
        headers: { 'x-svc-api-key': apiKey, 'content-type': 'application/json' },
        ...(from === undefined ? { agent } : { agent: false, localAddress: from }),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const answer =
            status === 200 ? (JSON.parse(Buffer.concat(parts).toString()) as { url: string }) : { url: '' };
          resolve({ status, url: answer.url });
        });
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** @throws {Error} If the answer is not 200. */
export async function sessionUrl(place: Place, body?: object): Promise<string> {
  const { status, url } = await callSession(place, body);
  if (status !== 200) throw new Error(`The session call was answered with ${status}.`);
  return url;
}

/** Callbacks for the events of a {@link SpeechSocket}. */
export interface SpeechListener {
  /** @param samples - Number of samples in the frame; `pts` is the number of samples of the context before it. */
  frame?(pts: number, samples: number): void;
  /** Called when the context has been spoken completely, or has failed (`problem`). */
  end?(contextId: string, problem: string | null): void;
  closed?(code: number): void;
}

/** A socket of the speech service. */
export class SpeechSocket {
  readonly socket: WebSocket;
  /** Resolves when the socket is open, which does not mean that it is admitted. Rejects if it cannot be opened. */
  readonly opened: Promise<void>;
  listener: SpeechListener = {};

  constructor(url: string) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    this.socket = socket;
    socket.binaryType = 'nodebuffer';
    let problem = '';
    this.opened = new Promise((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('close', (code) => reject(new Error(`The socket was closed with ${code} ${problem}`)));
    });
    this.opened.catch(() => {}); // any caller that awaits it handles the rejection
    socket.on('error', ({ message }) => (problem = message)); // a close event follows
    socket.on('close', (code) => this.listener.closed?.(code));
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.listener.frame?.(data.readUInt32BE(8), (data.length - HEADER_BYTES) / 2);
      else this.#read(JSON.parse(data.toString()) as { type: string; context_id?: string; message?: string });
    });
  }

  /** Sends text and, unless `more` is true, the end of the context. */
  say(text: string, contextId = 'turn-1', more = false): void {
    this.socket.send(JSON.stringify({ type: 'synthesize', context_id: contextId, text, segment_mode: 'auto' }));
    if (!more) this.socket.send(JSON.stringify({ type: 'end', context_id: contextId }));
  }

  close(): void {
    this.socket.close(1000);
  }

  #read({ context_id = '', message = '', type }: { type: string; context_id?: string; message?: string }): void {
    if (type === 'context_done') this.listener.end?.(context_id, null);
    else if (type === 'error') this.listener.end?.(context_id, message);
  }
}

/** Makes a session call at a node and opens the socket. Resolves when it is open. */
export async function openSocket(place: Place, body?: object): Promise<SpeechSocket> {
  const socket = new SpeechSocket(await sessionUrl(place, body));
  await socket.opened;
  return socket;
}
