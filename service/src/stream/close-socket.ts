import type { WebSocket } from 'ws';
import { describeCloseCode } from '../../../src/protocol/index.js';

/** Longest reason that fits in a close frame, in bytes (RFC 6455, section 5.5). */
const REASON_BYTES_MAX = 123;

/**
 * Closes a socket with a documented code and a human-readable reason.
 *
 * @param reason - Truncated to fit in a close frame.
 */
export function closeSocket(socket: WebSocket, code: number, reason: string = describeCloseCode(code)): void {
  const bytes = new TextEncoder().encode(reason).subarray(0, REASON_BYTES_MAX);
  socket.resume(); // a paused socket would not receive the client's close frame
  socket.close(code, new TextDecoder().decode(bytes, { stream: true })); // drops a truncated last character
}
