import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { decodeJwt } from 'jose';
import type { Random } from '../../src/testing/random.js';
import { type ConnectionFault, type Disturbance, disturb, NO_DISTURBANCE } from './disturbance.js';
import { BINARY_FRAME, CLOSE_FRAME, FrameWalker } from './frame-walker.js';
import { Way } from './way.js';

/** A WebSocket that went through a link. Times are of `performance.now()`; null before they are known. */
export interface LinkSocket {
  /** Id of the session in the ledger. */
  readonly sessionId: string;
  /** Before the service was reached. */
  readonly startedAt: number;
  /** Arrival of the first frame of audio. The meter runs by then. */
  firstFrameAt: number | null;
  /** Before the page's end of the socket was passed on; null too if the service has ended it first. */
  leftAt: number | null;
  /** After the service has seen the end of the socket. */
  endedAt: number | null;
}

/** Options of a link. */
export interface LinkOptions {
  /** Returns the port of 127.0.0.1 that the link leads to. */
  readonly target: () => number;
  readonly random: Random;
  /** Resolves when the server has seen everything that has happened so far, or has ended. */
  readonly seenByServer: () => Promise<void>;
}

/** A TCP proxy that disturbs its connections. */
export class Link {
  /** Port of 127.0.0.1 that it listens on. */
  readonly port: number;
  /** All WebSockets so far, in the order in which they came. */
  readonly sockets: LinkSocket[] = [];
  /** Number of connections with each fault. */
  readonly faults: Partial<Record<ConnectionFault['kind'], number>> = {};
  /** True while connections are not disturbed. */
  isCalm = true;
  readonly #server: Server;
  readonly #options: LinkOptions;
  readonly #connections = new Set<Connection>();
  /** Connections that wait for the next one. */
  #waiting: (() => void)[] = [];
  #broken: string[] = [];

  static async open(options: LinkOptions): Promise<Link> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Link(server, options);
  }

  private constructor(server: Server, options: LinkOptions) {
    this.#server = server;
    this.#options = options;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#join(near));
  }

  /** Number of WebSockets that the page has not closed. */
  get openSockets(): number {
    return [...this.#connections].filter(({ isOpenSocket }) => isOpenSocket).length;
  }

  /** Returns what the link has broken since the last call. */
  takeBroken(): string[] {
    return this.#broken.splice(0);
  }

  close(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.reset();
  }

  #join(near: Socket): void {
    const { random, seenByServer, target } = this.#options;
    const disturbance = this.isCalm ? NO_DISTURBANCE : disturb(random);
    const { fault } = disturbance;
    this.faults[fault.kind] = (this.faults[fault.kind] ?? 0) + 1;
    const connection = new Connection(near, disturbance, random, {
      broken: (what) => this.#broken.push(what),
      socketFound: (socket) => this.sockets.push(socket),
      closed: () => this.#connections.delete(connection),
      seenByServer,
    });
    this.#connections.add(connection);
    const waiting = this.#waiting.splice(0);
    const connect = (): void => {
      connection.connect(target());
      for (const each of waiting) each();
    };
    if (fault.kind !== 'reorder') return connect();
    const timer = setTimeout(connect, fault.ms);
    this.#waiting.push(() => {
      clearTimeout(timer);
      connect();
    });
  }
}

interface ConnectionEvents {
  broken(what: string): void;
  socketFound(socket: LinkSocket): void;
  closed(): void;
  seenByServer(): Promise<void>;
}

/** A connection through a link: `near` is the client's end, `far` the server's. */
class Connection {
  readonly #near: Socket;
  readonly #far = new Socket({ allowHalfOpen: true });
  readonly #fault: ConnectionFault;
  readonly #events: ConnectionEvents;
  readonly #frames = { up: new FrameWalker(), down: new FrameWalker() };
  readonly #bytes = { up: 0, down: 0 };
  #allow = (): void => {};
  #isConnected = false;
  /** True once the first bytes have come, which tell whether this is a WebSocket. */
  #isKnown = false;
  #isNearOpen = true;
  #isReset = false;
  #isHalfDead = false;
  #socket: LinkSocket | null = null;
  /** True if the server was the first to end the WebSocket. */
  #isEndedByServer = false;

  constructor(near: Socket, disturbance: Disturbance, random: Random, events: ConnectionEvents) {
    this.#near = near;
    this.#fault = disturbance.fault;
    this.#events = events;
    const opened = new Promise<void>((resolve) => (this.#allow = resolve));
    this.#lead('up', near, this.#far, new Way(disturbance, random, opened));
    this.#lead('down', this.#far, near, new Way(disturbance, random, opened));
    for (const event of ['end', 'close']) {
      near.on(event, () => {
        this.#isNearOpen = false;
        this.#endIfBothClosed();
      });
    }
    this.#far.on('connect', () => this.#allow());
    this.#far.on('close', () => void this.#farClosed());
  }

  get isOpenSocket(): boolean {
    return this.#socket !== null && this.#isNearOpen;
  }

  connect(port: number): void {
    if (this.#isReset) return;
    this.#isConnected = true;
    this.#far.connect(port, '127.0.0.1');
  }

  /** Resets both ends. */
  reset(): void {
    if (this.#isReset) return;
    this.#isReset = true;
    this.#noteLeaving();
    this.#near.resetAndDestroy();
    if (this.#isConnected) this.#far.resetAndDestroy();
    else this.#far.destroy();
  }

  #lead(direction: 'up' | 'down', from: Socket, to: Socket, way: Way): void {
    from.on('data', (piece: Buffer) => {
      this.#inspect(direction, piece);
      way.pass(piece, (part) => {
        if (!this.#lets(direction, part)) return;
        if (direction === 'up' && this.#socket && this.#frames.up.walk(part).includes(CLOSE_FRAME)) this.#noteLeaving();
        if (to.writable) to.write(part);
      });
    });
    from.on('end', () => {
      if (direction === 'down') {
        this.#isEndedByServer ||= this.#socket?.leftAt === null;
        this.#endIfBothClosed();
      }
      way.after(() => {
        if (this.#isDead(direction)) return;
        if (direction === 'up') this.#noteLeaving();
        to.end();
      });
    });
    from.on('error', () => {
      if (direction === 'down') this.#isEndedByServer ||= this.#socket?.leftAt === null;
      this.reset();
    });
  }

  /** Reads the state of the connection from a piece of data. */
  #inspect(direction: 'up' | 'down', piece: Buffer): void {
    if (direction === 'up') {
      if (this.#isKnown) return;
      this.#isKnown = true;
      const query = /^GET \/realtime\/stream\?(\S+) HTTP/.exec(piece.toString('latin1'))?.[1];
      if (query === undefined) return;
      const sessionId = decodeJwt(new URLSearchParams(query).get('token')!).jti!;
      const startedAt = performance.now();
      this.#socket = { sessionId, startedAt, firstFrameAt: null, leftAt: null, endedAt: null };
      this.#events.socketFound(this.#socket);
    } else if (this.#socket) {
      const opcodes = this.#frames.down.walk(piece);
      if (opcodes.includes(BINARY_FRAME)) this.#socket.firstFrameAt ??= performance.now();
      if (opcodes.includes(CLOSE_FRAME)) this.#isEndedByServer ||= this.#socket.leftAt === null;
    }
  }

  /** Returns true if the piece passes. Otherwise the connection is broken now, or in this direction. */
  #lets(direction: 'up' | 'down', piece: Buffer): boolean {
    this.#bytes[direction] += piece.length;
    const fault = this.#fault;
    const isCut = fault.kind === 'cut' && this.#bytes.down > fault.bytes;
    if (fault.kind === 'refuse' || isCut) {
      if (!this.#isReset) this.#events.broken(`${fault.kind} after ${this.#bytes.down} bytes`);
      this.reset();
      return false;
    }
    if (fault.kind !== 'half' || fault.direction !== direction || this.#bytes[direction] <= fault.bytes) return true;
    if (!this.#isHalfDead) this.#events.broken(`half: nothing passes ${direction} after ${fault.bytes} bytes`);
    this.#isHalfDead = true;
    return false;
  }

  #isDead(direction: 'up' | 'down'): boolean {
    return this.#isHalfDead && this.#fault.kind === 'half' && this.#fault.direction === direction;
  }

  /** Notes that the server is about to see that the page has ended the WebSocket. */
  #noteLeaving(): void {
    if (this.#socket && !this.#isEndedByServer) this.#socket.leftAt ??= performance.now();
  }

  async #farClosed(): Promise<void> {
    this.#endIfBothClosed();
    if (!this.#socket) return;
    await this.#events.seenByServer();
    this.#socket.endedAt = performance.now();
  }

  #endIfBothClosed(): void {
    if (this.#isNearOpen) return;
    // The end of the client does not pass a half-dead connection.
    if (this.#far.readableEnded) this.#far.destroy();
    if (!this.#far.destroyed) return;
    this.#near.destroy();
    this.#events.closed();
  }
}
