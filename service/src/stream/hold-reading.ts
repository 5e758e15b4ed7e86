import type { WebSocket } from 'ws';

/** Number of holds on each socket that is paused. */
const holds = new WeakMap<WebSocket, number>();

/**
 * Stops reading from a socket until this hold and all others have ended. TCP flow control makes its client wait.
 *
 * @returns A function that ends the hold. Call it once.
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
