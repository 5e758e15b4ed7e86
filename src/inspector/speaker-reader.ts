import type { SpeakerStats, SvcSpeakerElement } from '../index.js';
import type { Reading, SpeakerSetup } from './recording.js';

/** The members of a speaker that a reading uses. Tests pass their own object. */
export type ReadableSpeaker = Pick<SvcSpeakerElement, 'buffered' | 'currentTime' | 'jitterBufferTarget' | 'getStats'>;

/** Maximum age of the worker's counters (100 ms) with a margin, in seconds. */
const COUNTERS_MAX_AGE_SECONDS = 0.25;

/** Maximum number of reads until two agree. Speech plays on while the page reads. */
const READ_TRIES = 5;

/** Smaller arrivals are ignored: two threads' counters, read at slightly different instants, differ by up to this. */
const ARRIVAL_MIN_SECONDS = 0.004;

/** Statistics in samples that only grow until the speaker is emptied. */
type SampleCounter =
  | 'jitterBufferEmittedCount'
  | 'insertedSamplesForDeceleration'
  | 'removedSamplesForAcceleration'
  | 'concealedSamples'
  | 'silentConcealedSamples';

/** Takes readings of one speaker; each reports the growth of the statistics since the previous one. Main thread. */
export class SpeakerReader {
  readonly #speaker: ReadableSpeaker;
  #previous: SpeakerStats | undefined;
  /** Samples reported as arrived so far. */
  #arrivedSamples = 0;
  /** Samples of cancelled speech: received and never played. */
  #skippedSamples = 0;
  #countedSamples = 0;
  #countedAtSeconds = 0;
  /** The page's `jitterBufferTarget` at the previous reading. */
  #pageTargetSeconds = 0;
  #targetSeconds = 0;

  constructor(speaker: ReadableSpeaker) {
    this.#speaker = speaker;
  }

  /** Takes a reading now. @param atSeconds - Current time on the clock of the recording. */
  read(atSeconds: number): Reading {
    const { stats, bufferedSeconds } = readTogether(this.#speaker);
    // Counters decrease only when the speaker has been emptied; they restart at 0.
    if (this.#previous && stats.bytesReceived < this.#previous.bytesReceived) {
      this.#previous = undefined;
      this.#skippedSamples = 0;
    }
    const previous = this.#previous;
    this.#previous = stats;
    const rate = stats.sampleRate ?? Number.POSITIVE_INFINITY;
    const grownSeconds = (name: SampleCounter): number =>
      Math.max(0, stats[name] - (previous?.[name] ?? stats[name])) / rate;
    return {
      atSeconds,
      bufferedSeconds,
      targetSeconds: this.#updateTarget(stats, previous),
      arrivedSeconds: this.#updateArrived(stats, previous, bufferedSeconds, atSeconds),
      playedSeconds: grownSeconds('jitterBufferEmittedCount'),
      insertedSeconds: grownSeconds('insertedSamplesForDeceleration'),
      removedSeconds: grownSeconds('removedSamplesForAcceleration'),
      concealedSeconds: grownSeconds('concealedSamples'),
      silentSeconds: grownSeconds('silentConcealedSamples'),
      underruns: Math.max(0, stats.underruns - (previous?.underruns ?? stats.underruns)),
      outputSeconds: stats.outputLatency ?? 0,
    };
  }

  /**
   * Returns the current target. `jitterBufferTargetDelay` is a sum over emitted samples, as in WebRTC, so the target is
   * its growth per emitted sample. While nothing is emitted, the target is unchanged unless the page sets another one.
   */
  #updateTarget(stats: SpeakerStats, previous: SpeakerStats | undefined): number {
    const pageTargetSeconds = this.#speaker.jitterBufferTarget / 1000;
    if (!previous || pageTargetSeconds !== this.#pageTargetSeconds) this.#targetSeconds = pageTargetSeconds;
    this.#pageTargetSeconds = pageTargetSeconds;
    const emitted = previous ? stats.jitterBufferEmittedCount - previous.jitterBufferEmittedCount : 0;
    if (previous && emitted > 0) {
      this.#targetSeconds = (stats.jitterBufferTargetDelay - previous.jitterBufferTargetDelay) / emitted;
    }
    return this.#targetSeconds;
  }

  /**
   * Returns the newly arrived speech in seconds. The total is the higher of two counts: samples played plus samples
   * held, which the audio thread counts immediately (every 100 ms on the message transport), and the worker's own
   * count, which is up to 100 ms old. Speech that waits for the output to open can be reported early. The next arrivals
   * are then reported late, and the sum stays correct.
   */
  #updateArrived(
    stats: SpeakerStats,
    previous: SpeakerStats | undefined,
    heldSeconds: number,
    atSeconds: number,
  ): number {
    const { sampleRate, jitterBufferEmittedCount: played } = stats;
    if (sampleRate === null) return 0;
    const counted = stats.totalSamplesReceived - stats.concealedSamples;
    if (counted !== this.#countedSamples) this.#countedAtSeconds = atSeconds;
    this.#countedSamples = counted;
    if (heldSeconds === 0 && atSeconds - this.#countedAtSeconds > COUNTERS_MAX_AGE_SECONDS) {
      this.#skippedSamples = counted - played;
    }
    const arrived = Math.max(counted, played + this.#skippedSamples + heldSeconds * sampleRate);
    // The first reading reports only held samples as arrived.
    if (!previous) this.#arrivedSamples = arrived - heldSeconds * sampleRate;
    const newSeconds = (arrived - this.#arrivedSamples) / sampleRate;
    if (newSeconds < ARRIVAL_MIN_SECONDS) return 0;
    this.#arrivedSamples = arrived;
    return newSeconds;
  }
}

/**
 * Reads statistics and the buffered speech as of one moment. The counters are numbers in the audio thread's memory, and
 * the position moves on: if the page is interrupted between two of these reads, their difference is wrong.
 */
function readTogether(speaker: ReadableSpeaker): { stats: SpeakerStats; bufferedSeconds: number } {
  let stats = speaker.getStats();
  for (let tries = 1; ; tries++) {
    const before = stats;
    const { currentTime } = speaker;
    const bufferedSeconds = secondsHeld(speaker);
    stats = speaker.getStats();
    const isSame =
      stats.jitterBufferEmittedCount === before.jitterBufferEmittedCount &&
      stats.jitterBufferTargetDelay === before.jitterBufferTargetDelay &&
      speaker.currentTime === currentTime;
    if (isSame || tries === READ_TRIES) return { stats, bufferedSeconds };
  }
}

/** Returns the speech buffered ahead of `currentTime`, in seconds, as for any media element. */
export function secondsHeld({ buffered, currentTime }: Pick<ReadableSpeaker, 'buffered' | 'currentTime'>): number {
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

/** Returns the current setup of a speaker. */
export function readSetup(speaker: SvcSpeakerElement): SpeakerSetup {
  const { jitterBuffer, jitterBufferTarget, playbackRate, resampler } = speaker;
  const { transport, audioBackend, sampleRate, contextSampleRate } = speaker.getStats();
  return {
    settings: { jitterBuffer, jitterBufferTarget, playbackRate, resampler },
    pipeline: { transport, audioBackend, sampleRate, contextSampleRate },
  };
}
