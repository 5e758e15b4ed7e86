import type { Clock } from '../base/clock.js';
import { CLOSE_DONE } from '../protocol/close-code.js';
import type { ClientMessage } from '../protocol/index.js';
import type { PlayableSession } from '../protocol/playable-session.js';

/** Time limit for the WebSocket handshake, in ms. Browsers wait for minutes. */
const HANDSHAKE_LIMIT_MS = 10_000;

/** Creates a socket: `(url) => new WebSocket(url)`, except in tests. May throw as the WebSocket constructor does. */
export type SocketFactory = (url: string) => WebSocket;

/** Callbacks for the facts that a connection reports to its owner. After `close`, only `onClose` is called. */
export interface ConnectionEvents {
  onOpen(): void;
  onFrame(frame: ArrayBuffer): void;
  onText(text: string): void;
  /** The socket is closed. Called once. `reason` is the service's, or the reason why this side closed it. */
  onClose(code: number, reason: string): void;
}

/** One WebSocket to the service. Worker thread. */
export class Connection {
  readonly session: PlayableSession;
  /** The utterance for which the session was requested. */
  readonly serial: number;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #openedAt: number | null = null;
  #hasSent = false;

  /** @throws {DOMException} If the browser refuses the URL. */
  constructor(
    createSocket: SocketFactory,
    session: PlayableSession,
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
    let timeout = '';
    let clearTimer = clock.after(HANDSHAKE_LIMIT_MS, () => {
      timeout = 'no answer within 10 s';
      socket.close();
    });
    const end = (code: number, reason: string): void => {
      clearTimer();
      socket.onclose = null;
      events.onClose(code, reason || timeout);
    };
    socket.onopen = () => {
      clearTimer();
      this.#openedAt = clock.now();
      events.onOpen();
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') events.onText(data);
      else events.onFrame(data);
    };
    socket.onclose = ({ code, reason }) => end(code, reason);
    // A close event with a code follows. Quirk `chromium-csp-socket`: not in Chromium if connect-src forbids the
    // socket.
    socket.onerror = () => {
      clearTimer();
      clearTimer = clock.after(0, () => socket.readyState === socket.CLOSED && end(1006, ''));
    };
  }

  /** True if the socket has ever been open. */
  get wasOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** True if anything was sent. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Milliseconds since the socket opened; 0 before. */
  get openMs(): number {
    return this.#openedAt === null ? 0 : this.#clock.now() - this.#openedAt;
  }

  /** Sends one message. */
  send(message: ClientMessage): void {
    this.#hasSent = true;
    this.#socket.send(JSON.stringify(message));
  }

  /** Closes the socket with 1000. Messages that still arrive are dropped. */
  close(): void {
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.close(CLOSE_DONE);
  }
}
