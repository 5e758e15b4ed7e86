/**
 * Layout of the memory that carries speech from the worker to the audio thread.
 *
 * One buffer, usually a SharedArrayBuffer: a header of int32 slots, statistics as float64, a table of cancelled
 * utterances, a queue of marks, then int16 samples. Every slot has exactly one writer (see `slot.ts`), and slots of
 * different threads lie on different cache lines, so the ring needs no locks.
 *
 * Positions are int32 counters that wrap at 2^32. So a full ring differs from an empty one, and its whole capacity is
 * usable.
 */
import * as Slot from './slot.js';

export * as MarkKind from './mark-kind.js';
export * as PlayoutState from './playout-state.js';
export * as Slot from './slot.js';
export * as Stat from './stat.js';

/** Value of `Slot.playbackRate` for a rate of 1. */
export const RATE_UNIT = 2 ** 16;

/** Index of the first statistic, in float64 units: line 4 of the header. */
const STAT_BASE = (4 * Slot.LINE) / 2;
/** Int32 slots of header and statistics together. The message transport copies these to the main thread. */
export const PREFIX_SLOTS = 6 * Slot.LINE;

/** Number of entries of the table of cancelled utterances, and of the queue of marks; a power of two. */
export const MARK_CAPACITY = 1024;
const CANCEL_BASE = PREFIX_SLOTS;
const MARK_BASE = CANCEL_BASE + MARK_CAPACITY;
const MARK_SLOTS = 4;
const HEADER_SLOTS = MARK_BASE + MARK_CAPACITY * MARK_SLOTS;

/**
 * Maximum length of the mirror, in samples. The first samples of the ring are repeated after its last ones, so that the
 * consumer finds 85 ms at 96 kHz in one piece at any index.
 */
const MIRROR_MAX = 8192;

/** Minimum length of a ring, in seconds of speech. The spill queue in the worker holds the samples that do not fit. */
export const RING_SECONDS = 30;

/** Views of a ring buffer. Each thread opens its own. */
export interface RingMemory {
  readonly header: Int32Array;
  readonly stats: Float64Array;
  /** `capacity` samples, followed by a copy of the first `mirror` of them. */
  readonly samples: Int16Array;
  /** Number of samples; a power of two. */
  readonly capacity: number;
  readonly mirror: number;
  /** Rate of the speech, in Hz. */
  readonly sampleRate: number;
}

/**
 * Returns the capacity in samples of a ring for at least `seconds` of speech: a power of two.
 *
 * @param sampleRate - Rate of the speech, in Hz.
 */
export function ringCapacity(sampleRate: number, seconds: number = RING_SECONDS): number {
  return 2 ** Math.ceil(Math.log2(sampleRate * seconds));
}

/** Returns the size in bytes of a buffer for a ring of `capacity` samples. */
export function ringBytes(capacity: number): number {
  return HEADER_SLOTS * 4 + (capacity + mirrorOf(capacity)) * 2;
}

function mirrorOf(capacity: number): number {
  return Math.min(capacity, MIRROR_MAX);
}

/**
 * Makes a ring in a buffer and opens it.
 *
 * @param buffer - `ringBytes(capacity)` bytes, all 0.
 * @throws {RangeError} If `capacity` is not a power of two or does not fit the buffer.
 */
export function initRing(buffer: ArrayBufferLike, capacity: number, sampleRate: number): RingMemory {
  if (capacity < 2 || Math.log2(capacity) % 1 !== 0) {
    throw new RangeError(`A ring cannot have ${capacity} samples. Pass a power of two.`);
  }
  if (buffer.byteLength !== ringBytes(capacity)) {
    throw new RangeError(`The buffer has ${buffer.byteLength} bytes. Pass one of ${ringBytes(capacity)}.`);
  }
  const header = new Int32Array(buffer, 0, HEADER_SLOTS);
  header[Slot.capacity] = capacity;
  header[Slot.sampleRate] = sampleRate;
  header[Slot.playbackRate] = RATE_UNIT;
  return openRing(buffer);
}

/** Opens a ring that `initRing` has made in a buffer. Any thread. */
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

/** Returns the header index of mark number `index`. The slots from there hold its position, kind and serial. */
export function markSlot(index: number): number {
  return MARK_BASE + (index & (MARK_CAPACITY - 1)) * MARK_SLOTS;
}

/**
 * Returns the header index of the entry for utterance `serial` in the table of cancelled utterances. The entry holds
 * the serial if the utterance is cancelled.
 */
export function cancelSlot(serial: number): number {
  return CANCEL_BASE + (serial & (MARK_CAPACITY - 1));
}
