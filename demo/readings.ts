import type { SvcSpeakerElement } from 'svc-speaker';

/** What the element reports at one moment, in the terms of the picture. */
export interface Reading {
  /** When, in seconds of the recording's own clock (see {@link Recording}). */
  readonly atSeconds: number;
  /** Audio that has arrived and is not heard yet, in seconds. */
  readonly bufferedSeconds: number;
  /** How much of it the element holds back before it starts, in seconds. */
  readonly targetSeconds: number;
  /** Audio that arrived since the reading before, in seconds. */
  readonly arrivedSeconds: number;
  /** Underruns since the reading before. */
  readonly underruns: number;
}

type Stats = ReturnType<SvcSpeakerElement['getStats']>;

/** Bytes of a frame's header and of one sample on the wire (interface-spec 2.4). */
const HEADER_BYTES = 12;
const SAMPLE_BYTES = 2;

/**
 * The readings of the last seconds, oldest first, on a clock of its own that stands still while nothing happens: the
 * picture of one utterance follows that of the one before, however long the pause between them was.
 */
export class Recording {
  readonly readings: Reading[] = [];
  #clockSeconds = 0;
  #before: Stats | null = null;
  readonly #windowSeconds: number;

  /** @param windowSeconds - How far back the readings go, in seconds. */
  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds;
  }

  /** Where the clock stands, in seconds. */
  get nowSeconds(): number {
    return this.#clockSeconds;
  }

  /** Lets the clock run on by `seconds` without a reading. */
  advance(seconds: number): void {
    this.#clockSeconds += seconds;
  }

  /**
   * Reads the element now.
   *
   * @returns Whether anything has moved since the reading before.
   */
  read(speaker: SvcSpeakerElement): boolean {
    const stats = speaker.getStats();
    const before = this.#before;
    const last = this.readings.at(-1);
    const reading: Reading = {
      atSeconds: this.#clockSeconds,
      bufferedSeconds: bufferedSeconds(speaker),
      targetSeconds: targetSeconds(speaker, stats, before),
      arrivedSeconds: before ? arrivedSeconds(stats, before) : 0,
      // A counter that went back means the element started anew.
      underruns: before ? Math.max(0, stats.underruns - before.underruns) : 0,
    };
    this.#before = stats;
    this.readings.push(reading);
    this.#forget();
    return (
      last?.bufferedSeconds !== reading.bufferedSeconds ||
      last.targetSeconds !== reading.targetSeconds ||
      reading.arrivedSeconds > 0 ||
      stats.socketOpenMs !== before?.socketOpenMs
    );
  }

  /** Drops what has left the picture; the newest reading outside it stays, since the line comes from there. */
  #forget(): void {
    const oldestSeconds = this.#clockSeconds - this.#windowSeconds;
    const firstInside = this.readings.findIndex((reading) => reading.atSeconds >= oldestSeconds);
    if (firstInside > 1) this.readings.splice(0, firstInside - 1);
  }
}

/** Audio ahead of what is heard, in seconds, as any media element tells it. */
export function bufferedSeconds({ buffered, currentTime }: SvcSpeakerElement): number {
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

/** The statistic is a sum over emitted samples, as in WebRTC: its growth per sample is the target of this moment. */
function targetSeconds(speaker: SvcSpeakerElement, stats: Stats, before: Stats | null): number {
  const emitted = before ? stats.jitterBufferEmittedCount - before.jitterBufferEmittedCount : 0;
  if (!before || emitted <= 0) return speaker.jitterBufferTarget / 1000;
  return (stats.jitterBufferTargetDelay - before.jitterBufferTargetDelay) / emitted;
}

function arrivedSeconds(stats: Stats, before: Stats): number {
  if (!stats.sampleRate) return 0;
  const frames = stats.framesReceived - before.framesReceived;
  const audioBytes = stats.bytesReceived - before.bytesReceived - frames * HEADER_BYTES;
  return Math.max(0, audioBytes / SAMPLE_BYTES / stats.sampleRate);
}
