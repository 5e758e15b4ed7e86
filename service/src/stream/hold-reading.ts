import type { WebSocket } from 'ws';

/** Holds of each socket that is not read. */
const holds = new WeakMap<WebSocket, number>();

/**
 * Reads nothing from a socket until this hold and every other one has ended: its client has to wait (TCP flow control).
 *
 * @returns Ends the hold. Call it once.
 */
export function holdReading(socket: WebSocket): () => void {
  holds.set(socket, (holds.get(socket) ?? 0) + 1);
  socket.pause();
  return () => {
    const left = holds.get(socket)! - 1;
    holds.set(socket, left);
    if (left === 0) socket.resume();
  };
}
