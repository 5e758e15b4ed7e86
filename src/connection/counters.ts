import type { Clock } from '../base/clock.js';
import { readSequence } from '../protocol/frame.js';
import { ByteOrderDetector, FRAME_HEADER_BYTES, SequenceTracker } from '../protocol/index.js';
import type { ConnectionCounters } from './command.js';

/** The version byte of `svctts.v1`. A frame with another version is played, and counted as malformed. */
const KNOWN_VERSION = 1;
const REPORT_INTERVAL_MS = 100;

type Measured = Pick<ConnectionCounters, 'spilledSamples' | 'socketOpenMs' | 'oldest' | 'newest' | 'quiet'>;

/** Counts the data that one speaker receives, and reports the counts at most every 100 ms. Worker thread. */
export class Counters {
  messagesIgnored = 0;
  timingsMalformed = 0;
  samplesReceived = 0;
  framesMalformed = 0;
  #bytes = 0;
  #frames = 0;
  #version: number | null = null;
  readonly #order = new ByteOrderDetector();
  readonly #sequence = new SequenceTracker();
  readonly #clock: Clock;
  readonly #measure: () => Measured;
  readonly #report: (counters: ConnectionCounters) => void;
  #cancelTimer: (() => void) | null = null;

  /** @param measure - Returns the values that are read when a report is due. */
  constructor(clock: Clock, measure: () => Measured, report: (counters: ConnectionCounters) => void) {
    this.#clock = clock;
    this.#measure = measure;
    this.#report = report;
  }

  /** Counts a message with audio. A header of `svctts.v1` before its bytes, in the same buffer, is read. */
  countFrame(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes += bytes.byteOffset + bytes.length;
    this.#frames++;
    this.touch();
    if (bytes.byteOffset < FRAME_HEADER_BYTES) return;
    const frame = bytes.buffer;
    this.#order.observe(frame);
    const order = this.#order.byteOrder;
    this.#version = new Uint8Array(frame)[0]!;
    if (this.#version !== KNOWN_VERSION) this.framesMalformed++;
    if (order !== 'unknown') this.#sequence.observe(readSequence(frame, order === 'little'));
  }

  /** Counts bytes of an audio stream. */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    this.touch();
  }

  /** Starts a new sequence. Call it for each socket, because its sequence numbers may start at any value. */
  restartSequence(): void {
    this.#sequence.restart();
  }

  /** Schedules a report. */
  touch(): void {
    this.#cancelTimer ??= this.#clock.after(REPORT_INTERVAL_MS, () => this.flush());
  }

  /** Reports now. */
  flush(): void {
    this.stop();
    this.#report({
      bytesReceived: this.#bytes,
      framesReceived: this.#frames,
      framesMalformed: this.framesMalformed,
      sequenceGaps: this.#sequence.gaps,
      messagesIgnored: this.messagesIgnored,
      timingsMalformed: this.timingsMalformed,
      samplesReceived: this.samplesReceived,
      byteOrder: this.#order.byteOrder,
      protocolVersion: this.#version,
      ...this.#measure(),
    });
  }

  /** Cancels the report that is due. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
