import type { Clock } from '../base/clock.js';
import { CLOSE_DONE } from '../protocol/close-code.js';
import type { ClientMessage } from '../protocol/index.js';
import type { PlayableSession } from '../protocol/playable-session.js';
import { type SpeechDialect, SVCTTS_V1 } from '../protocol/speech-dialect.js';
import { Interpreter, type InterpreterEvents } from './interpreter.js';

/** Time limit for the WebSocket handshake, in ms. Browsers wait for minutes. */
const HANDSHAKE_LIMIT_MS = 10_000;

/** Creates a socket: `new WebSocket(url, protocols)`, except in tests. May throw as the WebSocket constructor does. */
export type SocketFactory = (url: string, protocols: string[]) => WebSocket;

/** Callbacks for the facts that a connection reports to its owner. After `close`, only `onClose` is called. */
export interface ConnectionEvents extends Omit<InterpreterEvents, 'onReply'> {
  onOpen(): void;
  /** The socket is closed. Called once. `reason` is the service's, or the reason why this side closed it. */
  onClose(code: number, reason: string): void;
}

/** One WebSocket to the service. Worker thread. */
export class Connection {
  readonly session: PlayableSession;
  /** The utterance for which the session was requested. */
  readonly serial: number;
  readonly dialect: SpeechDialect;
  readonly #interpreter: Interpreter;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #cancelKeepAlive = (): void => {};
  /** The context that is kept alive. */
  #keptAlive = '';
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
    this.dialect = session.dialect ?? SVCTTS_V1;
    this.#interpreter = new Interpreter(
      this.dialect,
      { voice: session.voice ?? '', rate: session.sampleRate },
      { ...events, onReply: (messages) => this.#write(messages) },
    );
    const socket = createSocket(session.url, [...(this.dialect.subprotocols ?? [])]);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    let timeout = '';
    let clearTimer = clock.after(HANDSHAKE_LIMIT_MS, () => {
      timeout = 'no answer within 10 s';
      socket.close();
    });
    const end = (code: number, reason: string): void => {
      clearTimer();
      this.#cancelKeepAlive();
      socket.onclose = null;
      events.onClose(code, reason || timeout);
    };
    socket.onopen = () => {
      clearTimer();
      this.#openedAt = clock.now();
      this.#write(this.#interpreter.open());
      events.onOpen();
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#interpreter.read(data);
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

  /** Quotes what the service has sent that means nothing in the dialect, for an error; empty if there is nothing. */
  get ignored(): string {
    return this.#interpreter.ignored;
  }

  /** Describes a context without audio, for an error. */
  get lack(): string {
    return this.#interpreter.lack;
  }

  /** Sends a message that the session brings. */
  sendMessage(message: ClientMessage): void {
    this.contexts.add(message.context_id);
    this.#write([JSON.stringify(message)]);
  }

  /** Sends a piece of text. Returns false if the socket is closing and would drop it. */
  sendText(context: string, text: string): boolean {
    this.contexts.add(context);
    this.#keepAlive(context);
    return this.#write(this.#interpreter.text(context, text));
  }

  /** Sends the end of the text of a context. */
  endText(context: string): void {
    this.#cancelKeepAlive();
    this.#write(this.#interpreter.end(context));
  }

  /** Asks the service to stop a context. Returns false if it cannot be asked. */
  cancel(context: string): boolean {
    const messages = this.#interpreter.cancel(context);
    if (messages.length === 0) return false;
    this.#cancelKeepAlive();
    return this.#write(messages);
  }

  /** Does not keep a context alive any more, because the service has ended it. */
  stopKeepAlive(context: string): void {
    if (context === this.#keptAlive) this.#cancelKeepAlive();
  }

  /** Closes the socket with 1000. Messages that still arrive are dropped. */
  close(): void {
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#cancelKeepAlive();
    this.#socket.close(CLOSE_DONE);
  }

  #write(messages: readonly string[]): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    for (const message of messages) this.#socket.send(message);
    return true;
  }

  /** Lets the service know, from time to time, that more text of a context follows. */
  #keepAlive(context: string): void {
    const { keepAlive } = this.dialect.send;
    this.#cancelKeepAlive();
    if (!keepAlive) return;
    this.#keptAlive = context;
    this.#cancelKeepAlive = this.#clock.after(keepAlive.seconds * 1000, () => {
      if (this.#write(this.#interpreter.keepAlive(context))) this.#keepAlive(context);
    });
  }
}
