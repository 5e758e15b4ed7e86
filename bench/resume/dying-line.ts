import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Ways in which a line dies: with FIN or RST to both ends; as a black hole, in which nothing passes any more and no end
 * notices; half open, if only the service has seen its end.
 */
export const DEATHS = ['FIN', 'RST', 'black hole', 'half open'] as const;

export type Death = (typeof DEATHS)[number];

/** A way to the service whose first connection dies. */
export interface DyingLine {
  /** Port of 127.0.0.1. */
  readonly port: number;
  close(): void;
}

/**
 * Opens a TCP proxy.
 *
 * @param target - Port of the service.
 * @param bytes - Number of bytes from the service after which the first connection dies.
 * @param death - Null for a line that lives.
 */
export async function openLine(target: number, bytes: number, death: Death | null): Promise<DyingLine> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    let left = connections++ === 0 && death !== null ? bytes : Infinity;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (piece: Buffer) => {
        if (left <= 0) return;
        const passed = from === far ? piece.subarray(0, Math.min(piece.length, left)) : piece;
        if (to.writable) to.write(passed);
        if (from !== far) return;
        left -= piece.length;
        if (left <= 0) die(death!, near, far);
      });
      from.on('end', () => left > 0 && to.end());
      from.on('error', () => left > 0 && to.resetAndDestroy());
      from.on('close', () => sockets.delete(from));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function die(death: Death, near: Socket, far: Socket): void {
  if (death === 'FIN') {
    near.end();
    far.end();
  } else if (death === 'RST') {
    near.resetAndDestroy();
    far.resetAndDestroy();
  } else if (death === 'half open') far.resetAndDestroy();
}
