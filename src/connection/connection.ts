import { CLOSE_DONE } from '../protocol/close-code.js';
import type { ClientMessage } from '../protocol/index.js';
import type { Clock } from './clock.js';
import type { SpeechSession } from './command.js';

/** A handshake without an answer for so long is given up, in ms: browsers themselves wait for minutes. */
const HANDSHAKE_LIMIT_MS = 10_000;

/** Makes a socket; `(url) => new WebSocket(url)` but in tests. May throw as that does. */
export type SocketFactory = (url: string) => WebSocket;

/** What a connection tells its owner. After the owner's own `close`, only `onClose` is still called. */
export interface ConnectionEvents {
  onOpen(): void;
  onFrame(frame: ArrayBuffer): void;
  onText(text: string): void;
  /** The socket is gone. Once. `reason` is the service's, or why we gave it up. */
  onClose(code: number, reason: string): void;
}

/** One socket to the service and how long it has been open. Worker thread. */
export class Connection {
  readonly session: SpeechSession;
  /** The utterance that the session was asked for. */
  readonly serial: number;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #openedAt: number | null = null;
  #spoken = false;

  /** @throws {DOMException} If the browser refuses the URL. */
  constructor(
    createSocket: SocketFactory,
    session: SpeechSession,
    serial: number,
    clock: Clock,
    events: ConnectionEvents,
  ) {
    this.session = session;
    this.serial = serial;
    this.#clock = clock;
    const socket = createSocket(session.url);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    let gaveUp = '';
    let calm = clock.after(HANDSHAKE_LIMIT_MS, () => {
      gaveUp = 'no answer for 10 s';
      socket.close();
    });
    const end = (code: number, reason: string): void => {
      calm();
      socket.onclose = null;
      events.onClose(code, reason || gaveUp);
    };
    socket.onopen = () => {
      calm();
      this.#openedAt = clock.now();
      events.onOpen();
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') events.onText(data);
      else events.onFrame(data);
    };
    socket.onclose = ({ code, reason }) => end(code, reason);
    // A close follows and says more; but not in Chromium, where it was connect-src that forbade the socket.
    socket.onerror = () => {
      calm();
      calm = clock.after(0, () => socket.readyState === socket.CLOSED && end(1006, ''));
    };
  }

  /** True once it has been open, and for good. */
  get wasOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** True once something was sent. */
  get hasSpoken(): boolean {
    return this.#spoken;
  }

  /** Milliseconds since it has opened; 0 before. */
  get openMs(): number {
    return this.#openedAt === null ? 0 : this.#clock.now() - this.#openedAt;
  }

  /** Sends one message. */
  send(message: ClientMessage): void {
    this.#spoken = true;
    this.#socket.send(JSON.stringify(message));
  }

  /** Closes the socket with 1000; what still comes in is dropped. */
  close(): void {
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.close(CLOSE_DONE);
  }
}
