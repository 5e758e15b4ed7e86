import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.js';
import { holdReading } from './hold-reading.js';

/** Bytes that a client may send. */
export interface InboundRate {
  readonly bytesPerSecond: number;
  /** Bytes that it may send at once after it has sent nothing for a while. */
  readonly burstBytes: number;
}

/**
 * Reads from a socket no faster than `rate` (a token bucket): a client that sends more is not refused, but has to wait.
 * Counts bytes as they come from the network, so that pings, unfinished messages and what comes after a close count, too.
 * The read that empties the bucket, 64 KiB at most, is taken as a whole.
 *
 * @param connection - TCP connection of the socket.
 */
export function limitInboundRate(socket: WebSocket, connection: Socket, clock: Clock, rate: InboundRate): void {
  const { burstBytes, bytesPerSecond } = rate;
  let allowance = burstBytes;
  let countedAt = clock.elapsed();
  let isHeld = false;
  let cancel = (): void => {};
  const refill = (): void => {
    const now = clock.elapsed();
    allowance = Math.min(burstBytes, allowance + ((now - countedAt) * bytesPerSecond) / 1000);
    countedAt = now;
  };
  const waitForAllowance = (release: () => void): void => {
    refill();
    if (allowance >= 0) {
      isHeld = false;
      return release();
    }
    cancel = clock.after(Math.ceil((-allowance * 1000) / bytesPerSecond), () => waitForAllowance(release));
  };
  connection.on('data', (chunk: Buffer) => {
    refill();
    allowance -= chunk.length;
    if (allowance >= 0) return;
    if (isHeld) return socket.pause(); // a socket that is about to close is resumed
    isHeld = true;
    waitForAllowance(holdReading(socket));
  });
  socket.on('close', () => cancel());
}
