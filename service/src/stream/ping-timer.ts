import type { WebSocket } from 'ws';
import type { Clock } from '../clock.js';

/**
 * Notices that a client is gone without a word, such as a laptop that was shut, and ends its socket, which costs the
 * account as long as it is open.
 *
 * A ping waits behind the audio that the client has not taken: no answer means nothing while some waits.
 *
 * @param pingMs - Time between two pings, in milliseconds. A client that is gone is noticed within two of them.
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
