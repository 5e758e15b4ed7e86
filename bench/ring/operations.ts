import { RingBuffer } from 'ringbuf.js';
import { initRing, ringBytes, RingReader, type RingMemory, RingWriter, Slot } from '../../src/ring/index.js';

/** Samples of our ring for 24 kHz, and of all other memory that is written here. */
const PUSH_CAPACITY = 2 ** 20;
/** Samples of the rings that are read: small, so that reading dominates and not the memory behind it. */
const POP_CAPACITY = 2 ** 14;

/** A batch of equal calls. */
export interface Operation {
  /** Calls of one run. */
  readonly calls: number;
  /** Makes the calls, and frees room or provides samples for the next run. */
  run(): void;
}

/** Creates an operation on blocks of `size` samples. */
type Maker = (size: number) => Operation;

/** The minimum cost: a copy by the engine between fixed places. Always in shared memory. */
export const limits: Record<'push' | 'pop', Maker> = {
  push(size) {
    const memory = shared(PUSH_CAPACITY);
    const block = noise(size);
    const calls = Math.floor(PUSH_CAPACITY / size);
    return {
      calls,
      run() {
        for (let call = 0, at = 0; call < calls; call++, at += size) memory.set(block, at);
      },
    };
  },
  pop(size) {
    const memory = shared(POP_CAPACITY);
    const calls = Math.floor(POP_CAPACITY / size);
    const views = Array.from({ length: calls }, (_, i) => memory.subarray(i * size, (i + 1) * size));
    const target = new Int16Array(size);
    return {
      calls,
      run() {
        for (let call = 0; call < calls; call++) target.set(views[call]!);
      },
    };
  },
};

/** The measured operations by name. */
export const operations: Record<string, Maker> = {
  'ours push': (size) => ourPush(noise(size), 0, size),
  'ours push part': (size) => ourPush(noise(size + 8), 4, size),
  'ringbuf.js push'(size) {
    const ring = new RingBuffer(RingBuffer.getStorageForCapacity(PUSH_CAPACITY - 1, Int16Array), Int16Array);
    const block = noise(size);
    const calls = Math.floor((PUSH_CAPACITY - 1) / size);
    return {
      calls,
      run() {
        for (let call = 0; call < calls; call++) ring.push(block);
        Atomics.store(ring.read_ptr, 0, Atomics.load(ring.write_ptr, 0));
      },
    };
  },
  /** Reading without a copy: samples are used in place, so this is the cost of the ring alone. */
  'ours pop'(size) {
    const { memory, reader, calls } = ourFullRing(size);
    return {
      calls,
      run() {
        publish(memory);
        for (let call = 0; call < calls; call++) {
          reader.refresh();
          sink = (sink + reader.samples[reader.index]!) | 0;
          reader.advance(size);
          reader.release(reader.position, reader.markIndex);
        }
      },
    };
  },
  /** The same, with every sample converted as in the resampler. */
  'ours pop to float64'(size) {
    const { memory, reader, calls } = ourFullRing(size);
    const target = new Float64Array(size);
    return {
      calls,
      run() {
        publish(memory);
        for (let call = 0; call < calls; call++) {
          reader.refresh();
          convert(reader.samples, reader.index, target, size);
          reader.advance(size);
          reader.release(reader.position, reader.markIndex);
        }
      },
    };
  },
  /** That conversion without a ring. */
  'no ring, to float64'(size) {
    const memory = shared(POP_CAPACITY);
    const calls = Math.floor(POP_CAPACITY / size);
    const target = new Float64Array(size);
    return {
      calls,
      run() {
        for (let call = 0, at = 0; call < calls; call++, at += size) convert(memory, at, target, size);
      },
    };
  },
  'ringbuf.js pop'(size) {
    const ring = new RingBuffer(RingBuffer.getStorageForCapacity(POP_CAPACITY - 1, Int16Array), Int16Array);
    const target = new Int16Array(size);
    const calls = Math.floor((POP_CAPACITY - 1) / size);
    return {
      calls,
      run() {
        const read = Atomics.load(ring.read_ptr, 0);
        Atomics.store(ring.write_ptr, 0, (read + POP_CAPACITY - 1) % POP_CAPACITY);
        for (let call = 0; call < calls; call++) ring.pop(target);
      },
    };
  },
};

/** Uses the samples that are read, so that the engine cannot drop the reads. */
let sink = 0;

function ourRing(capacity: number): RingMemory {
  return initRing(new SharedArrayBuffer(ringBytes(capacity)), capacity, 24000);
}

function ourPush(block: Int16Array, from: number, size: number): Operation {
  const memory = ourRing(PUSH_CAPACITY);
  const writer = new RingWriter(memory);
  const calls = Math.floor(PUSH_CAPACITY / size);
  return {
    calls,
    run() {
      for (let call = 0; call < calls; call++) writer.write(block, from, size);
      Atomics.store(memory.header, Slot.read, Atomics.load(memory.header, Slot.write));
    },
  };
}

function ourFullRing(size: number): { memory: RingMemory; reader: RingReader; calls: number } {
  const memory = ourRing(POP_CAPACITY);
  return { memory, reader: new RingReader(memory), calls: Math.floor(POP_CAPACITY / size) };
}

/** Refills the ring without a producer. */
function publish(memory: RingMemory): void {
  Atomics.store(memory.header, Slot.write, (Atomics.load(memory.header, Slot.read) + POP_CAPACITY) | 0);
}

function convert(source: Int16Array, from: number, target: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) target[i] = source[(from + i) | 0]! / 32768;
}

function shared(samples: number): Int16Array {
  return new Int16Array(new SharedArrayBuffer(2 * samples));
}

function noise(samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, i) => Math.imul(i, 2654435761) >> 16);
}
