import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { holdReading } from '../../src/stream/hold-reading.js';
import { limitInboundRate } from '../../src/stream/inbound-rate.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';

const BYTES = { perSecond: 64 * 1024, burst: 256 * 1024 };
const RATE = { bytes: BYTES, messages: { perSecond: 10, burst: 200 } };

/**
 * Maximum number of bytes read beyond the allowance: the read that uses it up, up to two that Node holds (it reads while
 * it holds less than 64 KiB), and the upgrade's head.
 */
const BEYOND_BYTES = 3 * 64 * 1024 + 1024;

/** Size in bytes of a flood, and of each of its messages. */
const FLOOD_BYTES = 4 * 1024 * 1024;
const MESSAGE_BYTES = 32 * 1024;

describe('limitInboundRate', () => {
  let clock: ManualClock;
  let server: WebSocketServer;
  let client: WebSocket;
  /** The service's end of the socket. */
  let socket: WebSocket;
  let connection: Socket;
  let received: number[];

  beforeEach(async () => {
    clock = new ManualClock();
    received = [];
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (opened, request) => {
      [socket, connection] = [opened, request.socket];
      socket.on('message', (data: Buffer) => received.push(data[0]!));
      limitInboundRate(socket, connection, clock, RATE);
    });
    client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.on('error', () => {});
    await once(client, 'open');
  });
  afterEach(() => {
    client.terminate();
    socket.terminate();
    server.close();
  });

  function flood(bytes: number): void {
    for (let sent = 0; sent < bytes; sent += MESSAGE_BYTES) {
      client.send(Buffer.alloc(MESSAGE_BYTES, sent / MESSAGE_BYTES));
    }
  }

  it('takes a burst at once', async () => {
    flood(BYTES.burst - MESSAGE_BYTES);
    await eventually('all is received', () => received.length === BYTES.burst / MESSAGE_BYTES - 1);
  });

  it('reads a flood at its rate, whole and in order', async () => {
    flood(FLOOD_BYTES);
    const startedAt = clock.elapsed();
    while (received.length < FLOOD_BYTES / MESSAGE_BYTES) {
      await eventually('it waits, or has everything', () => socket.isPaused || received.length === 128);
      const seconds = (clock.elapsed() - startedAt) / 1000;
      assert.ok(connection.bytesRead <= BYTES.burst + seconds * BYTES.perSecond + BEYOND_BYTES);
      clock.advance(250);
    }
    assert.deepEqual(received, [...received.keys()]);
  });

  it('reads small messages and pings at their rate', async () => {
    let pings = 0;
    socket.on('ping', () => pings++);
    for (let sent = 1; sent <= 100; sent++) {
      client.send('x');
      client.ping();
      await eventually('both are received', () => received.length === sent && pings === sent);
    }
    assert.equal(socket.isPaused, false);
    client.send('x');
    await eventually('it waits', () => socket.isPaused);
    clock.advance(99);
    assert.equal(socket.isPaused, true);
    clock.advance(1);
    assert.equal(socket.isPaused, false);
  });

  it('does not release a socket that is also held elsewhere', async () => {
    const release = holdReading(socket);
    assert.equal(socket.isPaused, true);
    release();
    flood(FLOOD_BYTES);
    await eventually('it waits', () => socket.isPaused);
    const releaseLater = holdReading(socket);
    clock.advance(60_000);
    assert.equal(socket.isPaused, true);
    releaseLater();
    assert.equal(socket.isPaused, false);
  });

  it('limits what comes after the socket has begun to close', async () => {
    socket.close(1003);
    flood(FLOOD_BYTES);
    await eventually('it waits', () => socket.isPaused);
    assert.ok(connection.bytesRead <= BYTES.burst + BEYOND_BYTES);
  });
});
