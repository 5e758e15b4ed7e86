import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { WebSocket } from 'ws';
import { Conversation } from '../support/conversation.js';

/** Text that takes about a second to play. */
const SENTENCE = 'The quick brown fox.';

const SAMPLE_RATE = 24_000;

/** Interval of pings in milliseconds, once the first frame has arrived. */
const PING_MS = 20;

/** A client with a socket. It records when the socket was open, which limits what the socket may cost. */
export class Listener {
  readonly conversation: Conversation;
  /** Id of the session in the ledger. */
  readonly sessionId: string;
  /** Time before the socket was open. */
  readonly startedAt = performance.now();
  /** Arrival time of the first frame; the socket was open by then. Null before. */
  heardAt: number | null = null;
  /**
   * End of the socket; null while it is open. If this client closes the socket, the time at which it began to. If the
   * service does, the time of the last ping that was answered: the socket was open until then, and the client may learn
   * of the end late.
   */
  endedAt: number | null = null;
  #answeredAt = this.startedAt;
  /** Number of the latest sentence that was sent. */
  #begun = 0;

  /** @param url - URL of a session's socket. */
  constructor(url: string) {
    this.sessionId = decodeJwt(new URL(url).searchParams.get('token')!).jti!;
    this.conversation = new Conversation(url);
    this.conversation.socket.on('message', (_data, isBinary) => {
      if (!isBinary || this.heardAt !== null) return;
      this.heardAt = performance.now();
      this.#keepAsking();
    });
    this.conversation.socket.on('pong', (askedAt) => (this.#answeredAt = Number(askedAt)));
    this.conversation.socket.on('close', () => (this.endedAt ??= this.#answeredAt));
  }

  get isOpen(): boolean {
    return this.endedAt === null && this.conversation.socket.readyState === WebSocket.OPEN;
  }

  /**
   * Speaks one sentence after the other while the socket is open, each after the time that the previous one takes to
   * play.
   */
  talk(): void {
    void this.#talk().catch(() => {}); // the socket was closed
  }

  /** Resolves when one more sentence, sent from now on, has been spoken. */
  async oneMore(): Promise<void> {
    await this.conversation.message('context_done', this.#begun + 1);
  }

  /** Resolves when the first frame has arrived. */
  async heard(): Promise<void> {
    await this.conversation.until(({ kind }) => kind === 'frame');
  }

  /** Closes the socket with a closing handshake. */
  async close(): Promise<void> {
    this.endedAt ??= performance.now();
    await this.conversation.close();
  }

  /** Disconnects without a closing handshake. */
  vanish(): void {
    this.endedAt ??= performance.now();
    this.conversation.socket.terminate();
  }

  /** Asserts that no frame is missing, neither on the socket nor in a context. */
  assertNoGap(): void {
    const samples = new Map<number, number>();
    this.conversation.frames().forEach(({ header, samples: { length } }, index) => {
      const { context, pts, sequence } = header;
      assert.deepEqual({ sequence, pts }, { sequence: index, pts: samples.get(context) ?? 0 });
      samples.set(context, pts + length);
    });
  }

  #keepAsking(): void {
    const { socket } = this.conversation;
    const asking = setInterval(() => socket.ping(String(performance.now())), PING_MS);
    socket.on('close', () => clearInterval(asking));
  }

  async #talk(): Promise<void> {
    for (let turn = 1; this.isOpen; turn++) {
      this.#begun = turn;
      this.conversation.say(SENTENCE, `turn-${turn}`);
      await this.conversation.message('context_done', turn);
      await setTimeout((this.conversation.samples(turn).length / SAMPLE_RATE) * 1000);
    }
  }
}
