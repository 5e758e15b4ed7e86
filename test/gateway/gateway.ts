import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { GatewayConnection, GatewayLog, GatewayStep } from './script.js';
import { ScriptRunner } from './script-runner.js';

/** A speech service that does what it is told, on a real socket. */
export interface Gateway {
  /** `ws://localhost:PORT/`. */
  readonly url: string;
  /** What every socket did so far, in the order they were opened. Live. */
  readonly connections: readonly GatewayConnection[];
  /** Sockets that are open now. */
  sockets(): number;
  /** Drops every socket and stops listening. */
  close(): Promise<void>;
}

/** Where it listens and what it does. */
export interface GatewayOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /**
   * What to do on a socket whose URL has no `script`.
   *
   * @param attempt - Which socket of this gateway it is, refused ones included, from 0.
   */
  readonly script?: (attempt: number, url: URL) => readonly GatewayStep[];
}

/**
 * Starts a scripted gateway for `svctts.v1` on loopback.
 *
 * A socket's script is the `script` of its URL's query (JSON, see `scriptUrl`), else what `options.script` says. Plain
 * HTTP on the same port answers `GET /log` with what happened, for tests that run in a browser.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const connections: GatewayConnection[] = [];
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
    const steps = scriptOf(url) ?? options.script?.(attempts, url) ?? [];
    attempts++;
    const first = steps[0];
    if (first !== undefined && 'refuse' in first) {
      refused++;
      socket.end(`HTTP/1.1 ${first.refuse} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      url.searchParams.delete('script');
      const record: GatewayConnection = {
        path: url.pathname + url.search,
        id: url.searchParams.get('id') ?? '',
        openedAt: now(),
        messages: [],
        framesSent: 0,
        lastFrameAt: 0,
        samplesSent: 0,
        closed: null,
      };
      connections.push(record);
      const runner = new ScriptRunner(webSocket, record);
      webSocket.on('message', (data: Buffer) => {
        const message = readMessage(data.toString());
        record.messages.push({ at: now(), message });
        runner.note(message);
      });
      webSocket.on('close', (code, reason) => {
        record.closed = { at: now(), code, reason: reason.toString() };
        runner.stop();
      });
      webSocket.on('error', () => webSocket.terminate());
      void runner.run(steps);
    });
  });

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    connections,
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

function now(): number {
  return performance.timeOrigin + performance.now();
}
