import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

/** A TCP relay to a server on this machine that fails as networks and servers do. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #port = 0;
  #isHeld = false;
  #bytesMax = Infinity;

  /** @param target - Port of 127.0.0.1 that the relay leads to. */
  static async to(target: number): Promise<Relay> {
    const relay = new Relay(target);
    await relay.listen();
    return relay;
  }

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => {
      const far = connect(this.#target, '127.0.0.1');
      let bytesLeft = this.#bytesMax;
      far.on('data', (data) => {
        bytesLeft -= data.length;
        if (bytesLeft < 0) near.resetAndDestroy();
      });
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** Port of 127.0.0.1 that the relay listens on. */
  get port(): number {
    return this.#port;
  }

  /** Leads new connections to another port of 127.0.0.1. */
  leadTo(target: number): void {
    this.#target = target;
  }

  /** Holds back everything in both directions. Neither side notices. */
  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lets through what was held back. */
  release(): void {
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Resets every connection, as seen from both sides. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Resets every connection, and each new one once the server has sent more than `bytes` on it. */
  resetAfter(bytes: number): void {
    this.#bytesMax = bytes;
    this.reset();
  }

  /** Listens, on the same port as before. */
  async listen(): Promise<void> {
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Resets every connection and refuses new ones, as a server does that has stopped. */
  async stop(): Promise<void> {
    this.#server.close();
    this.reset();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    if (this.#isHeld) from.pause();
    from.on('data', (data) => to.write(data));
    from.on('end', () => to.end());
    from.on('error', () => {}); // a close follows
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}

/** Starts a relay to a database's server; returns it with the database's URL through it. */
export async function relayToDatabase(databaseUrl: string): Promise<{ relay: Relay; url: string }> {
  const address = new URL(databaseUrl);
  const relay = await Relay.to(Number(address.port));
  address.port = String(relay.port);
  return { relay, url: address.href };
}
