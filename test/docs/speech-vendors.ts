import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';

/** The start and the rest of the audio of each answer. */
export const [START, REST] = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8)];

/** A request that has arrived at the server. */
export interface Asked {
  /** Host to which it was addressed. */
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Body, or messages of a WebSocket by their `Path`. */
  readonly body: string | Readonly<Record<string, string>>;
  /** Sends the rest of the audio. The start was sent at once. */
  finish(): void;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<unknown>;
}

/** A server at 127.0.0.1 in place of all vendors. */
export interface SpeechVendors {
  readonly asked: Asked[];
  /** Status of the next answers. With a status other than 200, they have no audio. */
  status: number;
  /** Restores the network of this process. */
  close(): Promise<void>;
}

/**
 * Starts the server, and sends each request of `fetch` and `WebSocket` in this process to it, whatever its host. The
 * host becomes the first segment of the path.
 */
export async function startSpeechVendors(): Promise<SpeechVendors> {
  const { fetch, WebSocket: ownWebSocket } = globalThis;
  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const local = (address: string | URL): string => {
    const { protocol, host, pathname, search } = new URL(address);
    return `${protocol.startsWith('ws') ? 'ws' : 'http'}://127.0.0.1:${port}/${host}${pathname}${search}`;
  };
  globalThis.fetch = (address, init) => fetch(local(address as string | URL), init);
  // The SDK of Azure passes only an address to a global WebSocket, which Node.js has since version 22.
  globalThis.WebSocket = class extends WebSocket {
    constructor(address: string) {
      super(local(address));
    }
  } as unknown as typeof globalThis.WebSocket;

  const vendors: SpeechVendors = {
    asked: [],
    status: 200,
    async close() {
      Object.assign(globalThis, { fetch, WebSocket: ownWebSocket });
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = once(response, 'close');
    const body = await text(request);
    vendors.asked.push({ ...addressOf(request), body, closed, finish: () => response.end(REST) });
    // No connection is kept: it could time out while a large SDK loads, just when the next request uses it.
    response.writeHead(vendors.status, { 'Content-Type': 'application/octet-stream', Connection: 'close' });
    if (vendors.status === 200) response.write(START);
    else response.end('{}');
  }

  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    if (vendors.status !== 200) {
      vendors.asked.push({ ...addressOf(request), body: {}, closed: once(stream, 'close'), finish() {} });
      stream.end(`HTTP/1.1 ${vendors.status} Refused\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => answerSocket(request, socket));
  });

  /** Speaks Azure's protocol: messages with a header, which contains their `Path` and the id of the request. */
  function answerSocket(request: IncomingMessage, socket: WebSocket): void {
    const closed = once(socket, 'close');
    const body: Record<string, string> = {};
    socket.on('message', (data: Buffer) => {
      const [header = '', ...rest] = data.toString().split('\r\n\r\n');
      const [, path = ''] = /^Path: *(\S+)/im.exec(header) ?? [];
      const [, id = ''] = /^X-RequestId: *(\S+)/im.exec(header) ?? [];
      body[path] = rest.join('\r\n\r\n');
      if (path !== 'ssml') return;
      const head = (kind: string): string => `X-RequestId:${id}\r\nX-StreamId:1\r\nPath:${kind}\r\n`;
      const send = (kind: string, content: object): void => socket.send(`${head(kind)}\r\n${JSON.stringify(content)}`);
      const sendAudio = (audio: Uint8Array): void => {
        const bytes = Buffer.from(head('audio'));
        socket.send(Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes, audio]));
      };
      const finish = (): void => {
        sendAudio(REST);
        send('turn.end', {});
      };
      vendors.asked.push({ ...addressOf(request), body, closed, finish });
      send('turn.start', {});
      send('response', { audio: { type: 'inline', streamId: '1' } });
      sendAudio(START);
    });
  }

  return vendors;
}

/** Returns the address of a request as its sender wrote it, and the headers. */
function addressOf({ url, headers }: IncomingMessage): Pick<Asked, 'host' | 'path' | 'query' | 'headers'> {
  const { pathname, searchParams } = new URL(url!, 'http://127.0.0.1');
  const [, host = '', path = ''] = /^\/([^/]*)(.*)$/.exec(pathname) ?? [];
  return { host, path, query: Object.fromEntries(searchParams), headers: headers as Asked['headers'] };
}
