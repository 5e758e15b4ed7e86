import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import {
  type FromWorklet,
  initRing,
  MarkKind,
  ringBytes,
  type RingDescriptor,
  RingReader,
  RingWriter,
  type ToWorklet,
} from '../../../src/ring/index.js';

/** A mark that was read from the ring. `at` is the number of samples before it. */
export interface HeardMark {
  readonly kind: 'start' | 'end';
  readonly serial: number;
  readonly at: number;
}

/** Replaces the audio thread: reads samples and marks from a ring. */
export interface Listener {
  readonly descriptor: RingDescriptor<MessagePort>;
  readonly marks: readonly HeardMark[];
  /** Reads everything that is available. Returns the number of samples read. */
  take(): number;
  /** Returns the samples read so far: all, or those between the marks of one utterance. */
  heard(serial?: number): Int16Array;
  close(): void;
}

/** Creates a listener for one transport. `capacity` is in samples, a power of two. */
export function listen(transport: 'shared' | 'message', capacity: number): Listener {
  return transport === 'shared' ? listenShared(capacity) : listenMessages(capacity);
}

function listenShared(capacity: number): Listener {
  const memory = new SharedArrayBuffer(ringBytes(capacity));
  const tape = new Tape(memory, capacity);
  return {
    descriptor: { transport: 'shared', memory },
    marks: tape.marks,
    take: () => tape.take().samples,
    heard: (serial) => tape.heard(serial),
    close: () => {},
  };
}

function listenMessages(capacity: number): Listener {
  const { port1, port2 } = new MessageChannel();
  const memory = new ArrayBuffer(ringBytes(capacity));
  const tape = new Tape(memory, capacity);
  const writer = new RingWriter(tape.memory);
  let read = 0;
  let markRead = 0;
  port2.on('message', (message: ToWorklet) => {
    if ('samples' in message) {
      const { samples } = message;
      assert.equal(writer.write(samples, 0, samples.length), samples.length, 'the feed keeps within its credit');
    } else {
      assert.ok(writer.mark(message.mark, message.serial), 'the feed keeps within the credit of marks');
    }
  });
  return {
    descriptor: { transport: 'message', port: port1 as unknown as MessagePort, capacity, heard: 0, markRead: 0 },
    marks: tape.marks,
    take: () => {
      const { samples, marks } = tape.take();
      read += samples;
      markRead += marks;
      if (samples > 0 || marks > 0) port2.postMessage({ read, markRead } satisfies FromWorklet);
      return samples;
    },
    heard: (serial) => tape.heard(serial),
    close: () => port2.close(),
  };
}

/** Reads all of a ring and keeps the samples and marks. */
class Tape {
  readonly memory;
  readonly marks: HeardMark[] = [];
  readonly #reader: RingReader;
  readonly #parts: Int16Array[] = [];
  #length = 0;

  constructor(buffer: ArrayBufferLike, capacity: number) {
    this.memory = initRing(buffer, capacity, 24000);
    this.#reader = new RingReader(this.memory);
  }

  take(): { samples: number; marks: number } {
    const reader = this.#reader;
    reader.refresh();
    const before = this.#length;
    const marks = reader.marks;
    for (let left = marks; left > 0; left--) {
      this.#read(reader.markDistance(0));
      const kind = reader.markKind(0) === MarkKind.start ? 'start' : 'end';
      this.marks.push({ kind, serial: reader.markSerial(0), at: this.#length });
      reader.takeMark();
    }
    this.#read(reader.available);
    reader.release(reader.position, reader.markIndex);
    return { samples: this.#length - before, marks };
  }

  heard(serial?: number): Int16Array {
    const all = new Int16Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    if (serial === undefined) return all;
    const from = this.marks.find((mark) => mark.serial === serial && mark.kind === 'start');
    const to = this.marks.find((mark) => mark.serial === serial && mark.kind === 'end');
    return from === undefined ? new Int16Array(0) : all.slice(from.at, to?.at);
  }

  #read(count: number): void {
    const reader = this.#reader;
    while (count > 0) {
      const piece = Math.min(count, reader.contiguous);
      this.#parts.push(reader.samples.slice(reader.index, reader.index + piece));
      reader.advance(piece);
      this.#length += piece;
      count -= piece;
    }
  }
}
