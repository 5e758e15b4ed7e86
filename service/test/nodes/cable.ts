import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A network between two programs, which can be cut. */
export class Cable {
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #isCut = false;

  /** @param port - Where it leads to, on this machine. */
  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port);
    cable.#server.listen(0, '127.0.0.1');
    await once(cable.#server, 'listening');
    return cable;
  }

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** Where it begins. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Nothing gets through any more, and neither side hears of it. */
  cut(): void {
    this.#isCut = true;
    for (const end of this.#ends) end.pause();
  }

  /** What was held up gets through, and everything from now on. */
  mend(): void {
    this.#isCut = false;
    for (const end of this.#ends) end.resume();
  }

  /** Both sides see their connections break. */
  rip(): void {
    for (const end of this.#ends) end.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.rip();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    this.#ends.add(from);
    if (this.#isCut) from.pause();
    from.on('data', (data) => to.write(data));
    from.on('end', () => to.end());
    from.on('error', () => {}); // a close follows
    from.on('close', () => {
      this.#ends.delete(from);
      to.destroy();
    });
  }
}
