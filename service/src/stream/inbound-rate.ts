import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.js';
import { holdReading } from './hold-reading.js';

/** Rate of a token bucket. */
export interface Rate {
  readonly perSecond: number;
  /** Amount at once after a pause. */
  readonly burst: number;
}

/** Limits for what a client sends: the bytes of its TCP connection, and its messages and pings. */
export interface InboundRate {
  readonly bytes: Rate;
  readonly messages: Rate;
}

/**
 * Limits the rate at which a socket is read (two token buckets): a client that sends more has to wait, but is not
 * refused. The bytes include pings, incomplete messages and data after a close. The read that empties a bucket, at most
 * 64 KiB, is accepted as a whole.
 *
 * @param connection - TCP connection of the socket.
 */
export function limitInboundRate(socket: WebSocket, connection: Socket, clock: Clock, rate: InboundRate): void {
  const allowances = { bytes: rate.bytes.burst, messages: rate.messages.burst };
  let countedAt = clock.elapsed();
  let isHeld = false;
  let cancel = (): void => {};
  const refill = (): void => {
    const seconds = (clock.elapsed() - countedAt) / 1000;
    countedAt = clock.elapsed();
    for (const kind of ['bytes', 'messages'] as const) {
      allowances[kind] = Math.min(rate[kind].burst, allowances[kind] + seconds * rate[kind].perSecond);
    }
  };
  const secondsToWait = (): number =>
    Math.max(-allowances.bytes / rate.bytes.perSecond, -allowances.messages / rate.messages.perSecond);
  const waitForAllowance = (release: () => void): void => {
    refill();
    const seconds = secondsToWait();
    if (seconds <= 0) {
      isHeld = false;
      return release();
    }
    cancel = clock.after(Math.ceil(seconds * 1000), () => waitForAllowance(release));
  };
  const spend = (kind: keyof InboundRate, amount: number): void => {
    refill();
    allowances[kind] -= amount;
    if (secondsToWait() <= 0) return;
    if (isHeld) return socket.pause(); // `closeSocket` has resumed it
    isHeld = true;
    waitForAllowance(holdReading(socket));
  };
  connection.on('data', (chunk: Buffer) => spend('bytes', chunk.length));
  socket.on('message', () => spend('messages', 1));
  socket.on('ping', () => spend('messages', 1));
  socket.on('close', () => cancel());
}
