/**
 * The memory that carries speech from the worker to the audio thread, and what each thread may touch in it.
 *
 * One buffer, usually a SharedArrayBuffer: a header of int32 slots on cache lines of their own, statistics as float64,
 * a table of cancelled utterances, a queue of marks, then int16 samples. One producer, one consumer; positions are
 * free-running int32 that wrap at 2^32, so no slot is lost to tell full from empty.
 */
import * as Slot from './slot.js';

export * as MarkKind from './mark-kind.js';
export * as PlayoutState from './playout-state.js';
export * as Slot from './slot.js';
export * as Stat from './stat.js';

/** `Slot.playbackRate` of a rate of 1. */
export const RATE_UNIT = 2 ** 16;

/** First float64 of the statistics: line 4 of the header. */
const STAT_BASE = (4 * Slot.LINE) / 2;
/** Int32 slots of header and statistics: what the message transport copies to the main thread. */
export const PREFIX_SLOTS = 6 * Slot.LINE;

/** Entries in the table of cancelled utterances, and in the queue of marks; a power of two. */
export const MARK_CAPACITY = 1024;
const CANCEL_BASE = PREFIX_SLOTS;
const MARK_BASE = CANCEL_BASE + MARK_CAPACITY;
const MARK_SLOTS = 4;
const HEADER_SLOTS = MARK_BASE + MARK_CAPACITY * MARK_SLOTS;

/**
 * Samples from the ring's beginning that are repeated beyond its end, at most, so that the consumer can look at a
 * stretch of speech in one piece wherever it lies: 85 ms at 96 kHz.
 */
const MIRROR_MAX = 8192;

/** Seconds of speech that a ring holds at least; a spill queue in the worker holds the rest. */
export const RING_SECONDS = 30;

/** Typed views on one ring buffer. Each thread opens its own. */
export interface RingMemory {
  readonly header: Int32Array;
  readonly stats: Float64Array;
  /** `capacity` samples, and the first `mirror` of them again. */
  readonly samples: Int16Array;
  /** Samples; a power of two. */
  readonly capacity: number;
  readonly mirror: number;
  /** Source rate in Hz. */
  readonly sampleRate: number;
}

/**
 * Samples a ring for `sampleRate` holds: the power of two at or above `seconds`.
 *
 * @param sampleRate - Source rate in Hz.
 */
export function ringCapacity(sampleRate: number, seconds: number = RING_SECONDS): number {
  return 2 ** Math.ceil(Math.log2(sampleRate * seconds));
}

/** Bytes of a ring buffer that holds `capacity` samples. */
export function ringBytes(capacity: number): number {
  return HEADER_SLOTS * 4 + (capacity + mirrorOf(capacity)) * 2;
}

function mirrorOf(capacity: number): number {
  return Math.min(capacity, MIRROR_MAX);
}

/**
 * Writes the fixed part of the header into a zeroed buffer of `ringBytes(capacity)` bytes, and opens it.
 *
 * @throws {RangeError} If `capacity` is no power of two or does not fit the buffer.
 */
export function initRing(buffer: ArrayBufferLike, capacity: number, sampleRate: number): RingMemory {
  if (capacity < 2 || Math.log2(capacity) % 1 !== 0) {
    throw new RangeError(`A ring's capacity is a power of two, not ${capacity}`);
  }
  if (buffer.byteLength !== ringBytes(capacity)) {
    throw new RangeError(`A ring of ${capacity} samples needs ${ringBytes(capacity)} bytes, not ${buffer.byteLength}`);
  }
  const header = new Int32Array(buffer, 0, HEADER_SLOTS);
  header[Slot.capacity] = capacity;
  header[Slot.sampleRate] = sampleRate;
  header[Slot.playbackRate] = RATE_UNIT;
  return openRing(buffer);
}

/** Opens a buffer that `initRing` has set up. Any thread. */
export function openRing(buffer: ArrayBufferLike): RingMemory {
  const header = new Int32Array(buffer, 0, HEADER_SLOTS);
  const capacity = header[Slot.capacity]!;
  return {
    header,
    stats: new Float64Array(buffer, STAT_BASE * 8, (PREFIX_SLOTS * 4) / 8 - STAT_BASE),
    samples: new Int16Array(buffer, HEADER_SLOTS * 4, capacity + mirrorOf(capacity)),
    capacity,
    mirror: mirrorOf(capacity),
    sampleRate: header[Slot.sampleRate]!,
  };
}

/** Index into the header of mark number `index` (free-running): position, kind and serial follow one another. */
export function markSlot(index: number): number {
  return MARK_BASE + (index & (MARK_CAPACITY - 1)) * MARK_SLOTS;
}

/** Index into the header of the cancel table's entry for utterance `serial`. */
export function cancelSlot(serial: number): number {
  return CANCEL_BASE + (serial & (MARK_CAPACITY - 1));
}
