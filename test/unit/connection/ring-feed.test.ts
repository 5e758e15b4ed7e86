import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FromWorklet,
  initRing,
  MARK_CAPACITY,
  MarkKind,
  ringBytes,
  type ToWorklet,
} from '../../../src/ring/index.js';
import { openRingFeed } from '../../../src/connection/ring-feed.js';
import { FakeClock } from '../fake-clock.js';

/** A port that records messages as the other end would receive them. */
class FakePort {
  readonly posted: ToWorklet[] = [];
  /** Number of buffers transferred with each message. */
  readonly transferred: number[] = [];
  closed = false;
  onmessage: ((event: { data: FromWorklet }) => void) | null = null;

  postMessage(message: ToWorklet, transfer: ArrayBuffer[] = []): void {
    this.posted.push(structuredClone(message, { transfer }));
    this.transferred.push(transfer.length);
  }

  close(): void {
    this.closed = true;
  }
}

function descriptor(port: FakePort, heard: number, markRead: number, capacity = 1024) {
  return { transport: 'message', port: port as unknown as MessagePort, capacity, heard, markRead } as const;
}

function messageFeed(capacity: number) {
  const port = new FakePort();
  const clock = new FakeClock();
  const feed = openRingFeed(descriptor(port, 0, 0, capacity), clock);
  const lengths = (): number[] => port.posted.map((message) => ('samples' in message ? message.samples.length : -1));
  return { port, clock, feed, lengths };
}

describe('the message feed', () => {
  it('gathers small pieces until there are 20 ms', () => {
    const { feed, lengths, clock } = messageFeed(2 ** 15);
    for (let piece = 0; piece < 6; piece++) feed.write(new Int16Array(100), 0, 100);
    assert.deepEqual(lengths(), [500]); // five pieces exceed 480 samples; the sixth waits
    clock.advance(10);
    assert.deepEqual(lengths(), [500, 100]);
  });

  it('makes a small piece wait for 10 ms at most', () => {
    const { feed, lengths, clock } = messageFeed(2 ** 15);
    feed.write(new Int16Array(1), 0, 1);
    clock.advance(9);
    assert.deepEqual(lengths(), []);
    clock.advance(1);
    assert.deepEqual(lengths(), [1]);
  });

  it('posts samples before the mark that follows them', () => {
    const { feed, port } = messageFeed(2 ** 15);
    feed.write(Int16Array.of(7), 0, 1);
    feed.mark(MarkKind.end, 3);
    assert.deepEqual(port.posted, [{ samples: Int16Array.of(7) }, { mark: MarkKind.end, serial: 3 }]);
  });

  it('transfers each chunk, and does not detach the samples it was given', () => {
    const { feed, port } = messageFeed(2 ** 15);
    const frame = new Int16Array(480).fill(3);
    feed.write(frame, 0, 480);
    feed.mark(MarkKind.end, 1);
    assert.deepEqual(port.transferred, [1, 0]);
    assert.deepEqual(frame, new Int16Array(480).fill(3), 'not detached');
  });

  it('posts small chunks as larger ones to the next processor', () => {
    const { feed, port, clock } = messageFeed(1024);
    feed.mark(MarkKind.start, 1);
    feed.write(Int16Array.of(1), 0, 1);
    clock.advance(10);
    feed.write(Int16Array.of(2), 0, 1);
    assert.equal(port.posted.length, 2, 'the second piece waits');
    const next = new FakePort();
    feed.reconnect(descriptor(next, 0, 0));
    assert.deepEqual(next.posted, [{ mark: MarkKind.start, serial: 1 }, { samples: Int16Array.of(1, 2) }]);
    assert.equal(clock.pending, 0);
  });

  it("never posts more than the processor's ring has room for", () => {
    const { feed, port } = messageFeed(1024);
    assert.equal(feed.write(new Int16Array(3000), 0, 3000), 1024);
    assert.equal(feed.write(new Int16Array(10), 0, 10), 0);
    let retried = 0;
    feed.whenRoom(() => retried++);
    port.onmessage!({ data: { read: 256, markRead: 0 } });
    port.onmessage!({ data: { read: 256, markRead: 0 } });
    assert.equal(retried, 1);
    assert.equal(feed.write(new Int16Array(3000), 0, 3000), 256);
  });

  it("never posts more marks than the processor's ring has room for", () => {
    const { feed, port } = messageFeed(1024);
    for (let serial = 1; serial <= MARK_CAPACITY; serial++) assert.ok(feed.mark(MarkKind.start, serial));
    assert.equal(feed.mark(MarkKind.end, 1), false);
    port.onmessage!({ data: { read: 0, markRead: 1 } });
    assert.equal(feed.mark(MarkKind.end, 1), true);
  });

  it('posts to the next processor the samples and marks that the last one has not played', () => {
    const { feed, port } = messageFeed(1024);
    feed.mark(MarkKind.start, 1);
    feed.write(Int16Array.of(1, 2, 3, 4, 5), 0, 5);
    feed.mark(MarkKind.end, 1);
    feed.mark(MarkKind.start, 2);
    feed.write(Int16Array.of(6, 7), 0, 2);
    feed.mark(MarkKind.end, 2);
    port.onmessage!({ data: { read: 2, markRead: 1 } });
    const next = new FakePort();
    feed.reconnect(descriptor(next, 4, 1));
    assert.equal(port.closed, true);
    assert.deepEqual(next.posted, [
      { samples: Int16Array.of(5) },
      { mark: MarkKind.end, serial: 1 },
      { mark: MarkKind.start, serial: 2 },
      { samples: Int16Array.of(6, 7) },
      { mark: MarkKind.end, serial: 2 },
    ]);
    feed.write(Int16Array.of(8), 0, 1);
    feed.mark(MarkKind.start, 3);
    assert.deepEqual(next.posted.slice(5), [{ samples: Int16Array.of(8) }, { mark: MarkKind.start, serial: 3 }]);
  });

  it('needs only the position of the next processor, and no earlier report', () => {
    const { feed } = messageFeed(1024);
    feed.mark(MarkKind.start, 1);
    feed.write(Int16Array.of(1, 2, 3, 4, 5), 0, 5);
    feed.mark(MarkKind.end, 1);
    const next = new FakePort();
    feed.reconnect(descriptor(next, 4, 1));
    assert.deepEqual(next.posted, [{ samples: Int16Array.of(5) }, { mark: MarkKind.end, serial: 1 }]);
    next.onmessage!({ data: { read: 5, markRead: 2 } });
    const last = new FakePort();
    feed.reconnect(descriptor(last, 5, 2));
    assert.deepEqual(last.posted, []);
    assert.equal(feed.write(new Int16Array(2000), 0, 2000), 1024);
  });

  it('continues where positions wrap', () => {
    const port = new FakePort();
    const feed = openRingFeed(descriptor(port, 2 ** 31 - 10, 0), new FakeClock());
    feed.write(new Int16Array(1024), 0, 1024);
    port.onmessage!({ data: { read: -(2 ** 31) + 90, markRead: 0 } });
    assert.equal(feed.write(new Int16Array(2000), 0, 2000), 100);
  });

  it('tracks the room at the next processor', () => {
    const { feed } = messageFeed(1024);
    feed.write(new Int16Array(1024), 0, 1024);
    const next = new FakePort();
    feed.reconnect(descriptor(next, 24, 0));
    assert.equal(feed.write(new Int16Array(100), 0, 100), 24);
    let retried = 0;
    feed.whenRoom(() => retried++);
    next.onmessage!({ data: { read: 1024, markRead: 0 } });
    assert.equal(retried, 1);
    assert.equal(feed.write(new Int16Array(2000), 0, 2000), 1000);
  });

  it('closes the port and stops the timer', () => {
    const { feed, port, clock } = messageFeed(1024);
    feed.write(Int16Array.of(1), 0, 1);
    feed.close();
    assert.equal(port.closed, true);
    assert.equal(clock.pending, 0);
  });
});

describe('the shared feed', () => {
  function sharedFeed() {
    const memory = new SharedArrayBuffer(ringBytes(1024));
    const ring = initRing(memory, 1024, 24000);
    const clock = new FakeClock();
    return { ring, clock, feed: openRingFeed({ transport: 'shared', memory }, clock) };
  }

  it('writes as many samples as fit into the ring', () => {
    const { ring, feed } = sharedFeed();
    assert.equal(feed.write(new Int16Array(2000).fill(5), 100, 1900), 1024);
    assert.equal(ring.samples[1023], 5);
  });

  it('retries after 100 ms', () => {
    const { feed, clock } = sharedFeed();
    let retried = 0;
    feed.whenRoom(() => retried++);
    clock.advance(99);
    assert.equal(retried, 0);
    clock.advance(1);
    assert.equal(retried, 1);
  });

  it('stops the timer', () => {
    const { feed, clock } = sharedFeed();
    feed.whenRoom(() => {});
    feed.close();
    assert.equal(clock.pending, 0);
  });
});
