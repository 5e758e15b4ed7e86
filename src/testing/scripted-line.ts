import type { WebSocket } from 'ws';
import { epochNow } from './epoch-now.js';
import type { Network } from './networks.js';
import type { GatewayConnection } from './script.js';

/** Sends the messages of a script to one socket, in order, with stalls and through a simulated network. */
export class ScriptedLine {
  readonly #socket: WebSocket;
  readonly #record: GatewayConnection;
  readonly #ended = new AbortController();
  /** End of the latest stall; 0 if there is none. */
  #heldUntil = 0;
  #held: (string | Uint8Array)[] = [];
  #network: Network | null = null;
  #networkFrom = 0;
  /** Messages in transit through the network, in order, with their arrival times. */
  readonly #underWay: { readonly dueMs: number; readonly message: string | Uint8Array }[] = [];
  #arrived = (): void => {};

  constructor(socket: WebSocket, record: GatewayConnection) {
    this.#socket = socket;
    this.#record = record;
  }

  get hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Ends because the socket has closed: nothing more is sent, and nothing waits. */
  end(): void {
    this.#ended.abort();
  }

  send(message: string | Uint8Array): void {
    if (this.#heldUntil > 0) this.#held.push(message);
    else if (this.#network === null) this.#transmit(message);
    else {
      const last = this.#underWay.at(-1)?.dueMs ?? 0;
      const dueMs = Math.max(last, this.#networkFrom + this.#network(performance.now() - this.#networkFrom));
      this.#underWay.push({ dueMs, message });
      if (this.#underWay.length === 1) void this.#deliver();
    }
  }

  /** Sends through a network from now on. */
  enter(network: Network): void {
    this.#network = network;
    this.#networkFrom = performance.now();
  }

  /** Holds messages back for a time. */
  stall(ms: number): void {
    const until = performance.now() + ms;
    this.#heldUntil = until;
    void this.sleep(ms).then(() => {
      if (this.#heldUntil !== until) return; // a later stall is still active
      this.#heldUntil = 0;
      for (const message of this.#held.splice(0)) this.send(message);
    });
  }

  /** Resolves when no message is held back or in transit. */
  async released(): Promise<void> {
    while (this.#heldUntil > 0 && !this.hasEnded) {
      await this.sleep(Math.max(this.#heldUntil - performance.now(), 1));
    }
    if (this.#underWay.length > 0) await new Promise<void>((resolve) => (this.#arrived = resolve));
  }

  /** Resolves after a time, or when the socket has closed. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#ended;
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
    });
  }

  async #deliver(): Promise<void> {
    while (this.#underWay.length > 0 && !this.hasEnded) {
      const { dueMs, message } = this.#underWay[0]!;
      const now = performance.now();
      if (dueMs > now) await this.sleep(dueMs - now);
      this.#underWay.shift();
      this.#transmit(message);
    }
    this.#arrived();
  }

  #transmit(message: string | Uint8Array): void {
    if (this.hasEnded) return;
    if (typeof message !== 'string') this.#record.lastFrameAt = epochNow();
    this.#socket.send(message);
  }
}
