import { ByteOrderDetector, decodeFrameHeader, SequenceTracker } from '../protocol/index.js';
import type { Clock } from './clock.js';
import type { SessionCounters } from './command.js';

/** The version byte that `svctts.v1` is understood to have. Any other is counted, and played. */
const KNOWN_VERSION = 1;
const REPORT_INTERVAL_MS = 100;

type Measured = Pick<SessionCounters, 'spilledSamples' | 'socketOpenMs'>;

/** Counts what comes in for one speaker and reports it, not more often than every 100 ms. Worker thread. */
export class Counters {
  messagesIgnored = 0;
  samplesReceived = 0;
  framesMalformed = 0;
  #bytes = 0;
  #frames = 0;
  #version: number | null = null;
  readonly #order = new ByteOrderDetector();
  readonly #sequence = new SequenceTracker();
  readonly #clock: Clock;
  readonly #measure: () => Measured;
  readonly #report: (counters: SessionCounters) => void;
  #stopTimer: (() => void) | null = null;

  /** @param measure - What is not counted here but read when a report is due. */
  constructor(clock: Clock, measure: () => Measured, report: (counters: SessionCounters) => void) {
    this.#clock = clock;
    this.#measure = measure;
    this.#report = report;
  }

  /** Takes in a binary frame. */
  countFrame(frame: ArrayBuffer): void {
    this.#bytes += frame.byteLength;
    this.#frames++;
    this.#order.observe(frame);
    const order = this.#order.byteOrder;
    const header = decodeFrameHeader(frame, order === 'unknown' ? 'big' : order);
    if (header === null) return;
    this.#version = header.version;
    if (header.version !== KNOWN_VERSION) this.framesMalformed++;
    if (order !== 'unknown') this.#sequence.observe(header.sequence);
  }

  /** A new socket: its sequence numbers start anywhere. */
  restartSequence(): void {
    this.#sequence.restart();
  }

  /** Something changed: a report is due soon. */
  touch(): void {
    this.#stopTimer ??= this.#clock.after(REPORT_INTERVAL_MS, () => this.flush());
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
      samplesReceived: this.samplesReceived,
      byteOrder: this.#order.byteOrder,
      protocolVersion: this.#version,
      ...this.#measure(),
    });
  }

  /** Calls off the report that is due. */
  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}
