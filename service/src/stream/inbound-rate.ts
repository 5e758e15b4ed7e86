import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.js';
import { holdReading } from './hold-reading.js';

/** Limits for the data that a client sends. */
export interface InboundRate {
  readonly bytesPerSecond: number;
  /** Bytes that it may send at once after a pause. */
  readonly burstBytes: number;
}

/**
 * Limits the rate at which a socket is read (a token bucket): a client that sends more has to wait, but is not refused.
 * Counts the bytes of the TCP connection, including pings, incomplete messages and data after a close. The read that
 * empties the bucket, at most 64 KiB, is accepted as a whole.
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
    if (isHeld) return socket.pause(); // `closeSocket` has resumed it
    isHeld = true;
    waitForAllowance(holdReading(socket));
  });
  socket.on('close', () => cancel());
}
