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
  /** Ids of the contexts of all messages that were sent. */
  readonly contexts = new Set<string>();

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
      const text = typeof data === 'string' ? data : jsonIn(data);
      if (text === null) events.onFrame(data as ArrayBuffer);
      else events.onText(text);
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
    return this.contexts.size > 0;
  }

  /** Milliseconds since the socket opened; 0 before. */
  get openMs(): number {
    return this.#openedAt === null ? 0 : this.#clock.now() - this.#openedAt;
  }

  /** Sends one message. Returns false if the socket is closing and would drop it. */
  send(message: ClientMessage): boolean {
    this.contexts.add(message.context_id);
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Closes the socket with 1000. Messages that still arrive are dropped. */
  close(): void {
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.close(CLOSE_DONE);
  }
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const BYTE_ORDER_MARK = 0xef;

/**
 * Returns the text of a binary message that is a JSON object, because some relays forward every message as binary. Null
 * for any other message; that of a frame is clear from its first byte.
 */
function jsonIn(data: ArrayBuffer): string | null {
  const bytes = new Uint8Array(data);
  let from = bytes[0] === BYTE_ORDER_MARK ? 3 : 0;
  while (isBlank(bytes[from])) from++;
  if (bytes[from] !== OPENING_BRACE) return null;
  let to = bytes.length;
  while (bytes[to - 1] === 0 || isBlank(bytes[to - 1])) to--; // Some programs end a text with 0.
  if (bytes[to - 1] !== CLOSING_BRACE) return null;
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null; // Audio behind a header with an unknown version.
  }
}

/** Returns true for white space of JSON. */
function isBlank(byte: number | undefined): boolean {
  return byte === 9 || byte === 10 || byte === 13 || byte === 32;
}
