import type { ConnectionCounters } from '../connection/command.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/**
 * Statistics of a speaker, with the names of WebRTC's `inbound-rtp` statistics where those exist.
 *
 * Counts begin when the speaker is emptied. Samples are at `sampleRate`, times in seconds unless the name says ms.
 */
export interface SpeakerStats {
  /** Sum over all emitted samples of the time each spent in the buffer. */
  jitterBufferDelay: number;
  /** Sum over all emitted samples of the target delay at that time. */
  jitterBufferTargetDelay: number;
  /** Samples that have left the jitter buffer. */
  jitterBufferEmittedCount: number;
  /** Samples received, concealed ones included. */
  totalSamplesReceived: number;
  /** Samples synthesized to conceal missing ones. */
  concealedSamples: number;
  /** Concealed samples that are silent. */
  silentConcealedSamples: number;
  /** Runs of concealed samples. */
  concealmentEvents: number;
  /** Samples inserted to play slower. */
  insertedSamplesForDeceleration: number;
  /** Samples removed to play faster. */
  removedSamplesForAcceleration: number;
  /** Bytes of binary frames, headers included. */
  bytesReceived: number;
  /** Binary messages received, including those without audio. */
  framesReceived: number;
  /** Frames of an unknown version, and frames with audio that belongs to no context. */
  framesMalformed: number;
  /** Missing frames, counted by the sequence numbers of the headers. */
  sequenceGaps: number;
  /** Number of times of words and sounds that were ignored: none, out of order, or outside the text or the speech. */
  timingsMalformed: number;
  /** Number of times the buffer ran empty within an utterance. */
  underruns: number;
  /** Number of times that another session spoke the rest of an utterance whose socket had died in the middle. */
  resumptions: number;
  /** Time without speech between the parts of such utterances, in ms. */
  resumptionSilenceMs: number;
  /** Time from the arrival of the first frame until its sound was heard, for the first utterance; null before. */
  firstFrameToSoundMs: number | null;
  /** Total time that sockets have been open, which is the metered time. */
  socketOpenMs: number;
  /** Transport to the audio thread; null before the first session. */
  transport: 'shared' | 'message' | null;
  /** Backend of the audio output; null before it is opened. */
  audioBackend: string | null;
  /** Rate of the speech in Hz; null before the first session. */
  sampleRate: number | null;
  /** Rate of the audio output in Hz; null before it is opened. */
  contextSampleRate: number | null;
  /** Seconds from the audio thread to the listener; null before the output is opened. */
  outputLatency: number | null;
  /**
   * Number of times the audio device ran out of samples since the page's AudioContext was created, from
   * `AudioContext.playbackStats`. Covers all speakers of the context and is updated once a second. Undefined where the
   * browser does not count them.
   */
  outputUnderruns?: number | undefined;
  /** Duration of these underruns in ms. */
  outputUnderrunMs?: number | undefined;
  /** Byte order of the frame headers, inferred from their sequence numbers, since the protocol does not define it. */
  headerByteOrder: 'big' | 'little' | 'unknown';
}

/** Counters that are summed over the nodes of a speaker. */
const summed = [
  'emittedSamples',
  'jitterBufferDelay',
  'jitterBufferTargetDelay',
  'concealedSamples',
  'silentConcealedSamples',
  'insertedSamples',
  'removedSamples',
  'underruns',
] as const;
type Sums = Record<(typeof summed)[number], number>;

/** Combines the counters of the three threads. Replaced whenever the speaker is emptied. Main thread. */
export class Statistics {
  #counters: ConnectionCounters | undefined;
  #node: PlaybackNode | undefined;
  #output: PlaybackOutput | undefined;
  /** Sums over the earlier nodes. */
  #before: Sums | undefined;
  #firstFrameToSoundMs: number | null = null;
  resumptions = 0;
  resumptionSilenceMs = 0;

  /** Counts on another node from now on, or on none. */
  follow(node: PlaybackNode | undefined, output: PlaybackOutput | undefined): void {
    if (node !== this.#node) this.#before = this.#sums;
    this.#node = node;
    this.#output = output;
  }

  /** Stores the worker's counters. */
  count(counters: ConnectionCounters): void {
    this.#counters = counters;
  }

  /** Notes that an utterance is first heard `ms` after its first frame arrived. Only the first call counts. */
  noteSound(ms: number): void {
    this.#firstFrameToSoundMs ??= ms;
  }

  /** Seconds of speech that were received and are not played yet. The worker's share is up to 100 ms out of date. */
  get waiting(): number {
    const held = (this.#node?.stats().bufferedSamples ?? 0) + (this.#counters?.spilledSamples ?? 0);
    return held / (this.#node?.sampleRate ?? Number.POSITIVE_INFINITY);
  }

  read(): SpeakerStats {
    const counters = this.#counters;
    const device = this.#output?.playbackStats;
    const sums = this.#sums;
    const concealedSamples = Math.round(sums.concealedSamples);
    return {
      jitterBufferDelay: sums.jitterBufferDelay,
      jitterBufferTargetDelay: sums.jitterBufferTargetDelay,
      jitterBufferEmittedCount: Math.round(sums.emittedSamples),
      totalSamplesReceived: (counters?.samplesReceived ?? 0) + concealedSamples,
      concealedSamples,
      silentConcealedSamples: Math.round(sums.silentConcealedSamples),
      concealmentEvents: sums.underruns,
      insertedSamplesForDeceleration: Math.round(sums.insertedSamples),
      removedSamplesForAcceleration: Math.round(sums.removedSamples),
      bytesReceived: counters?.bytesReceived ?? 0,
      framesReceived: counters?.framesReceived ?? 0,
      framesMalformed: counters?.framesMalformed ?? 0,
      sequenceGaps: counters?.sequenceGaps ?? 0,
      timingsMalformed: counters?.timingsMalformed ?? 0,
      underruns: sums.underruns,
      resumptions: this.resumptions,
      resumptionSilenceMs: this.resumptionSilenceMs,
      firstFrameToSoundMs: this.#firstFrameToSoundMs,
      socketOpenMs: counters?.socketOpenMs ?? 0,
      transport: this.#node?.transport ?? null,
      audioBackend: this.#output?.backend ?? null,
      sampleRate: this.#node?.sampleRate ?? null,
      contextSampleRate: this.#output?.sampleRate ?? null,
      outputLatency: this.#output?.latency ?? null,
      outputUnderruns: device?.underrunEvents,
      outputUnderrunMs: device && device.underrunDuration * 1000,
      headerByteOrder: counters?.byteOrder ?? 'unknown',
    };
  }

  get #sums(): Sums {
    const stats = this.#node?.stats();
    const add = (name: keyof Sums): number => (this.#before?.[name] ?? 0) + (stats?.[name] ?? 0);
    return Object.fromEntries(summed.map((name) => [name, add(name)])) as Sums;
  }
}
