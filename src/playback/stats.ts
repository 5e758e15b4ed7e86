import type { SessionCounters } from '../connection/command.js';
import type { PlaybackNode, PlaybackOutput } from './ports.js';

/**
 * Statistics of a speaker, named as in WebRTC's `inbound-rtp` where it has a name for them.
 *
 * Counted since the speaker was last emptied. Samples are at `sampleRate`, times in seconds unless the name says ms.
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
  /** Samples that were made up because none were there. */
  concealedSamples: number;
  /** Of these, the silent ones. */
  silentConcealedSamples: number;
  /** Runs of concealed samples. */
  concealmentEvents: number;
  /** Samples put in to play slower. */
  insertedSamplesForDeceleration: number;
  /** Samples taken out to play faster. */
  removedSamplesForAcceleration: number;
  /** Bytes of binary frames, headers included. */
  bytesReceived: number;
  /** Binary messages of the socket, those without audio included. */
  framesReceived: number;
  /** Frames of an unknown version, or with audio of no context. */
  framesMalformed: number;
  /** Frames missing by the headers' sequence numbers. */
  sequenceGaps: number;
  /** How often the buffer ran dry inside an utterance. */
  underruns: number;
  /** From the first frame's arrival until its sound was heard, of the first utterance; null before. */
  firstFrameToSoundMs: number | null;
  /** How long sockets have been open: what is paid for. */
  socketOpenMs: number;
  /** Null before the first session. */
  transport: 'shared' | 'message' | null;
  /** Null before the output is opened. */
  audioBackend: string | null;
  /** Rate of the speech in Hz; null before the first session. */
  sampleRate: number | null;
  /** Rate of the audio output in Hz; null before it is opened. */
  contextSampleRate: number | null;
  /** Seconds from the audio thread to the ear. */
  outputLatency: number | null;
  /** Byte order of the frame headers, inferred from their sequence numbers: the service does not say. */
  headerByteOrder: 'big' | 'little' | 'unknown';
}

/** What is added up over the lines of a speaker. */
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

/** Puts together what the three threads count for a speaker. Made for one life of it. Main thread. */
export class Statistics {
  #counters: SessionCounters | undefined;
  #line: PlaybackNode | undefined;
  #output: PlaybackOutput | undefined;
  /** Sums over the lines before this one. */
  #before: Sums | undefined;
  #firstFrameToSoundMs: number | null = null;

  /** Counts on another line from here on, or on none. */
  follow(line: PlaybackNode | undefined, output: PlaybackOutput | undefined): void {
    if (line !== this.#line) this.#before = this.#sums;
    this.#line = line;
    this.#output = output;
  }

  /** Takes in what the session worker has counted. */
  count(counters: SessionCounters): void {
    this.#counters = counters;
  }

  /** An utterance is heard whose first frame came `ms` ago. */
  noteSound(ms: number): void {
    this.#firstFrameToSoundMs ??= ms;
  }

  /** Seconds of speech that have come and have not been played. What is not in the ring yet is up to 100 ms old. */
  get waiting(): number {
    const held = (this.#line?.stats().bufferedSamples ?? 0) + (this.#counters?.spilledSamples ?? 0);
    return held / (this.#line?.sampleRate ?? Number.POSITIVE_INFINITY);
  }

  read(): SpeakerStats {
    const counters = this.#counters;
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
      underruns: sums.underruns,
      firstFrameToSoundMs: this.#firstFrameToSoundMs,
      socketOpenMs: counters?.socketOpenMs ?? 0,
      transport: this.#line?.transport ?? null,
      audioBackend: this.#output?.backend ?? null,
      sampleRate: this.#line?.sampleRate ?? null,
      contextSampleRate: this.#output?.sampleRate ?? null,
      outputLatency: this.#output?.latency ?? null,
      headerByteOrder: counters?.byteOrder ?? 'unknown',
    };
  }

  get #sums(): Sums {
    const stats = this.#line?.stats();
    const add = (name: keyof Sums): number => (this.#before?.[name] ?? 0) + (stats?.[name] ?? 0);
    return Object.fromEntries(summed.map((name) => [name, add(name)])) as Sums;
  }
}
