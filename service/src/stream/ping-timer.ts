import type { WebSocket } from 'ws';
import type { Clock } from '../clock.js';

/**
 * Detects a client that is gone without closing, such as a laptop that was shut, and terminates its socket, which costs
 * credit while it is open.
 *
 * A ping queues behind audio that the client has not read, so a missing answer is ignored while audio is buffered.
 *
 * @param pingMs - Time between two pings, in milliseconds. A lost client is detected within two of them.
 */
export function pingUntilClosed(socket: WebSocket, clock: Clock, pingMs: number): void {
  let hasAnswered = true;
  let cancel = (): void => {};
  const ping = (): void => {
    if (!hasAnswered && socket.bufferedAmount === 0 && !socket.isPaused) return socket.terminate();
    hasAnswered = false;
    socket.ping();
    cancel = clock.after(pingMs, ping);
  };
  cancel = clock.after(pingMs, ping);
  const answered = (): void => {
    hasAnswered = true;
  };
  socket.on('pong', answered);
  socket.on('message', answered);
  socket.on('close', () => cancel());
}
