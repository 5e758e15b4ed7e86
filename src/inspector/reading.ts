import type { SpeakerStats, SvcSpeakerElement } from '../index.js';

/** What a speaker tells at one moment. In seconds; what has grown is what grew since the reading before. */
export interface Reading {
  /** When, on the clock of the recording, which stands still while nothing happens. */
  readonly atSeconds: number;
  /** Speech that has come and has not left: what the jitter buffer holds, the resampler's look-ahead included. */
  readonly bufferedSeconds: number;
  /** How much of it is to be there: the mean over what has left. */
  readonly targetSeconds: number;
  /** Speech that came. */
  readonly arrivedSeconds: number;
  /** Speech that left. */
  readonly playedSeconds: number;
  /** Put in to play slower. */
  readonly insertedSeconds: number;
  /** Taken out to play faster. */
  readonly removedSeconds: number;
  /** Made up because the buffer was dry. */
  readonly concealedSeconds: number;
  /** How much of that was silence. */
  readonly silentSeconds: number;
  /** How often the buffer ran dry: 0, or hardly ever more than 1. */
  readonly underruns: number;
  /** From the audio thread to the ear, as the browser tells; 0 before there is an output, and where it does not tell. */
  readonly outputSeconds: number;
}

/** What is read of a speaker. A test may pass its own. */
export type Readable = Pick<SvcSpeakerElement, 'buffered' | 'currentTime' | 'jitterBufferTarget' | 'getStats'>;

/** What the worker counts is known so late at most, with a margin. In seconds. */
const COUNTED_SECONDS = 0.25;

/** Less is no frame but the difference of two counters that were not read at the same instant. In seconds. */
const ARRIVED_MIN_SECONDS = 0.004;

/** Takes readings of one speaker, each from what has changed since the one before. */
export class ReadingTaker {
  readonly #speaker: Readable;
  #before: SpeakerStats | undefined;
  /** Samples that have come, as far as was known. */
  #arrived = 0;
  /** Samples of cancelled speech: they came and never left. */
  #skipped = 0;
  #counted = 0;
  #countedAt = 0;
  #asked = 0;
  #lastTarget = 0;

  constructor(speaker: Readable) {
    this.#speaker = speaker;
  }

  /** Reads the speaker now, which is `atSeconds` on the recording's clock. */
  take(atSeconds: number): Reading {
    const stats = this.#speaker.getStats();
    const bufferedSeconds = secondsHeld(this.#speaker);
    // Counters that went back are those of another life of the speaker.
    if (this.#before && stats.bytesReceived < this.#before.bytesReceived) this.#startAnew();
    const before = this.#before;
    this.#before = stats;
    const rate = stats.sampleRate ?? Number.POSITIVE_INFINITY;
    const grown = (name: keyof typeof counters): number =>
      Math.max(0, stats[name] - (before?.[name] ?? stats[name])) / rate;
    return {
      atSeconds,
      bufferedSeconds,
      targetSeconds: this.#target(stats, before),
      arrivedSeconds: this.#arrivedSince(stats, before, bufferedSeconds, atSeconds),
      playedSeconds: grown('jitterBufferEmittedCount'),
      insertedSeconds: grown('insertedSamplesForDeceleration'),
      removedSeconds: grown('removedSamplesForAcceleration'),
      concealedSeconds: grown('concealedSamples'),
      silentSeconds: grown('silentConcealedSamples'),
      underruns: Math.max(0, stats.underruns - (before?.underruns ?? stats.underruns)),
      outputSeconds: stats.outputLatency ?? 0,
    };
  }

  #startAnew(): void {
    this.#before = undefined;
    this.#skipped = 0;
  }

  /**
   * The statistic is a sum over what has left, as in WebRTC: its growth per sample is the target of this moment. While
   * nothing leaves it is what it was last, unless the page asks for another one.
   */
  #target(stats: SpeakerStats, before: SpeakerStats | undefined): number {
    const asked = this.#speaker.jitterBufferTarget / 1000;
    if (!before || asked !== this.#asked) this.#lastTarget = asked;
    this.#asked = asked;
    const emitted = before ? stats.jitterBufferEmittedCount - before.jitterBufferEmittedCount : 0;
    if (before && emitted > 0) {
      this.#lastTarget = (stats.jitterBufferTargetDelay - before.jitterBufferTargetDelay) / emitted;
    }
    return this.#lastTarget;
  }

  /**
   * What has come is what has left and what is held: the audio thread's counters tell that at once (on the message
   * transport every 100 ms), the worker's own count is up to 100 ms old. For as long, what waited for the output to open
   * may be told twice; then what comes next is told late, and the sum is right again.
   */
  #arrivedSince(stats: SpeakerStats, before: SpeakerStats | undefined, heldSeconds: number, atSeconds: number): number {
    const { sampleRate, jitterBufferEmittedCount: left } = stats;
    if (sampleRate === null) return 0;
    const counted = stats.totalSamplesReceived - stats.concealedSamples;
    if (counted !== this.#counted) this.#countedAt = atSeconds;
    this.#counted = counted;
    if (heldSeconds === 0 && atSeconds - this.#countedAt > COUNTED_SECONDS) this.#skipped = counted - left;
    const known = Math.max(counted, left + this.#skipped + heldSeconds * sampleRate);
    // At first all that is known to have come is what is still there.
    if (!before) this.#arrived = known - heldSeconds * sampleRate;
    const fresh = (known - this.#arrived) / sampleRate;
    if (fresh < ARRIVED_MIN_SECONDS) return 0;
    this.#arrived = known;
    return fresh;
  }
}

/** Counters of samples that only grow in the life of a speaker. */
const counters = {
  jitterBufferEmittedCount: 0,
  insertedSamplesForDeceleration: 0,
  removedSamplesForAcceleration: 0,
  concealedSamples: 0,
  silentConcealedSamples: 0,
};

/** Speech ahead of what is heard, in seconds, as any media element tells it. */
export function secondsHeld({ buffered, currentTime }: Pick<Readable, 'buffered' | 'currentTime'>): number {
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}
