import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import {
  oneShotMessages,
  PROTOCOL,
  SESSION_DEFAULTS,
  type SessionRequest,
  type SessionResponse,
} from '../protocol/index.js';
import { epochNow } from './epoch-now.js';
import { type Reply, stepsOf } from './reply.js';
import type { SpeechSource } from './recording.js';
import type { GatewayConnection, GatewayLog, GatewayStep } from './script.js';
import { ScriptRunner } from './script-runner.js';
import type { Sound } from './sound.js';
import { joined, silence } from './sounds.js';

/** A scripted speech service on a real socket. */
export interface Gateway extends SpeechSource {
  /** `ws://127.0.0.1:PORT/`. */
  readonly url: string;
  /** Returns the beginnings of the `words` of the replies in `sent()`, in seconds. */
  wordStarts(): readonly number[];
  /** Log of each socket so far, in the order of opening. Live. */
  readonly connections: readonly GatewayConnection[];
  /** Sockets that are open now. */
  sockets(): number;
  /**
   * Sets the answers to the next utterances, one after the other, on any socket. The last answer applies to all that
   * follow. By default, each is answered at once with one second of 440 Hz.
   */
  reply(...replies: readonly Reply[]): void;
  /** Returns a session whose socket leads to this gateway, as a host page's backend would. */
  session(request?: SessionRequest): SessionResponse;
  /** Drops every socket and stops listening. */
  close(): Promise<void>;
}

/** Port and default script of a gateway. */
export interface GatewayOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /**
   * Script of a socket whose URL has no `script`.
   *
   * @param attempt - Index of the socket on this gateway, from 0; refused sockets count.
   */
  readonly script?: (attempt: number, url: URL) => Iterable<GatewayStep>;
}

/**
 * Starts a scripted gateway for `svctts.v1` on loopback.
 *
 * The script of a socket is, in this order: the `script` of its URL's query (JSON, see `scriptUrl`), the result of
 * `options.script`, or the answers set with `reply`. Plain HTTP on the same port answers `GET /log` with a log, for
 * tests that run in a browser.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const connections: GatewayConnection[] = [];
  const sent: Sound[] = [];
  const wordStarts: number[] = [];
  let replies: readonly Reply[] = [{}];
  let replied = 0;
  const nextReply = (): Reply => replies[Math.min(replied, replies.length - 1)]!;
  function* answers(): Generator<GatewayStep> {
    for (;;) {
      yield { wait: 'end' };
      const reply = nextReply();
      replied++;
      const before = sent.reduce((sum, { samples, sampleRate }) => sum + samples.length / sampleRate, 0);
      for (const { start } of reply.words?.slice(0, reply.dies?.afterWord) ?? []) wordStarts.push(before + start);
      yield* stepsOf(reply);
    }
  }
  let attempts = 0;
  let refused = 0;
  const log = (id: string | null): GatewayLog => ({
    open: connections.filter((connection) => connection.closed === null).length,
    refused,
    connections: id === null ? connections : connections.filter((connection) => connection.id === id),
  });

  const http = createServer((request, response) => answer(request, response, log));
  const server = new WebSocketServer({ noServer: true, maxPayload: 2 ** 20 });
  http.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url!, 'ws://localhost');
    const script = scriptOf(url) ?? options.script?.(attempts, url);
    attempts++;
    const status = script ? refusalOf(script) : nextReply().refuse;
    if (status !== undefined) {
      if (!script) replied++;
      refused++;
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      url.searchParams.delete('script');
      const record: GatewayConnection = {
        path: url.pathname + url.search,
        id: url.searchParams.get('id') ?? '',
        openedAt: epochNow(),
        messages: [],
        framesSent: 0,
        lastFrameAt: 0,
        samplesSent: 0,
        closed: null,
      };
      connections.push(record);
      const runner = new ScriptRunner(webSocket, record, (sound) => sent.push(sound));
      webSocket.on('message', (data: Buffer) => {
        const message = readMessage(data.toString());
        record.messages.push({ at: epochNow(), message });
        runner.note(message);
      });
      webSocket.on('close', (code, reason) => {
        record.closed = { at: epochNow(), code, reason: reason.toString() };
        runner.stop();
      });
      webSocket.on('error', () => webSocket.terminate());
      void runner.run(script ?? answers());
    });
  });

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  return {
    url,
    connections,
    reply: (...all) => {
      if (all.length === 0)
        throw new RangeError('reply() needs what is to be answered: reply({ audio: tone(440, 2) })');
      replies = all;
      replied = 0;
    },
    session: ({ input, context_id = SESSION_DEFAULTS.context_id, timings } = {}) => {
      const { format } = SESSION_DEFAULTS;
      const rate = nextReply().audio?.sampleRate ?? SESSION_DEFAULTS.sample_rate;
      const query = `?sample_rate=${rate}&format=${format}`;
      return {
        url: url + query,
        gateway: 'svc-speaker/testing.js',
        protocol: PROTOCOL,
        voice_id: 'test',
        format,
        sample_rate: rate,
        ...(timings && { timings }),
        messages: input === undefined ? [] : oneShotMessages(input, context_id),
      };
    },
    wordStarts: () => wordStarts,
    sent: () => (sent.length === 0 ? silence(0) : joined(...sent)),
    sockets: () => log(null).open,
    close: async () => {
      for (const webSocket of server.clients) webSocket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, log: (id: string | null) => GatewayLog): void {
  const url = new URL(request.url!, 'http://localhost');
  const found = url.pathname === '/log';
  response.writeHead(found ? 200 : 404, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  response.end(found ? JSON.stringify(log(url.searchParams.get('id'))) : '{}');
}

/**
 * Returns the status of a script that begins with a refusal. Such a script is a list; only generators make their steps
 * on the fly.
 */
function refusalOf(script: Iterable<GatewayStep>): number | undefined {
  const first = Array.isArray(script) ? (script[0] as GatewayStep | undefined) : undefined;
  return first !== undefined && 'refuse' in first ? first.refuse : undefined;
}

function scriptOf(url: URL): readonly GatewayStep[] | null {
  const script = url.searchParams.get('script');
  return script === null ? null : (JSON.parse(script) as GatewayStep[]);
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
