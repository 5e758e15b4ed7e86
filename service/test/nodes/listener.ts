import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { WebSocket } from 'ws';
import { Conversation } from '../support/conversation.js';

/** Takes about a second to hear. */
const SENTENCE = 'The quick brown fox.';

const SAMPLE_RATE = 24_000;

/** Between two questions whether the socket is open, once something was heard on it. */
const PING_MS = 20;

/** A client with a socket, who notes when it was open: what it may cost. */
export class Listener {
  readonly conversation: Conversation;
  /** Of the session, in the ledger. */
  readonly sessionId: string;
  /** Before the socket was open. */
  readonly startedAt = performance.now();
  /** When its first frame came: it was open by then. */
  heardAt: number | null = null;
  /**
   * When we began to close it; if the service did, when we last asked for an answer that came, since we may learn late
   * of an end: it was open until then. Null as long as it is open.
   */
  endedAt: number | null = null;
  #answeredAt = this.startedAt;
  /** Sentences whose text was sent. */
  #begun = 0;

  /** @param url - Of a session. */
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

  /** Has sentence after sentence spoken, each when the last one would have been heard, as long as the socket is open. */
  talk(): void {
    void this.#talk().catch(() => {}); // the socket was closed
  }

  /** Resolves when one more sentence was spoken, begun and ended from now on. */
  async oneMore(): Promise<void> {
    await this.conversation.message('context_done', this.#begun + 1);
  }

  /** Resolves when the first frame was heard. */
  async heard(): Promise<void> {
    await this.conversation.until(({ kind }) => kind === 'frame');
  }

  /** Closes the socket as a client should. */
  async close(): Promise<void> {
    this.endedAt ??= performance.now();
    await this.conversation.close();
  }

  /** Is gone without a word. */
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
