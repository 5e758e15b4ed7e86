import type { SessionCounters } from '../session/command.js';
import type { PlaybackLine, PlaybackOutput } from './ports.js';

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

/** What the lines before the present one have counted. */
export interface LineTotals {
  emittedSamples: number;
  jitterBufferDelay: number;
  jitterBufferTargetDelay: number;
  concealedSamples: number;
  underruns: number;
}

export const noTotals: LineTotals = {
  emittedSamples: 0,
  jitterBufferDelay: 0,
  jitterBufferTargetDelay: 0,
  concealedSamples: 0,
  underruns: 0,
};

/** Adds what `line` has counted to `totals`. */
export function addTotals(totals: LineTotals, line: PlaybackLine | undefined): LineTotals {
  if (!line) return totals;
  const stats = line.stats();
  return {
    emittedSamples: totals.emittedSamples + stats.emittedSamples,
    jitterBufferDelay: totals.jitterBufferDelay + stats.jitterBufferDelay,
    jitterBufferTargetDelay: totals.jitterBufferTargetDelay + stats.jitterBufferTargetDelay,
    concealedSamples: totals.concealedSamples + stats.concealedSamples,
    underruns: totals.underruns + stats.underruns,
  };
}

/** Puts together what the three threads have counted. */
export function speakerStats(
  totals: LineTotals,
  counters: SessionCounters | undefined,
  line: PlaybackLine | undefined,
  output: PlaybackOutput | undefined,
  firstFrameToSoundMs: number | null,
): SpeakerStats {
  const concealedSamples = Math.round(totals.concealedSamples);
  return {
    jitterBufferDelay: totals.jitterBufferDelay,
    jitterBufferTargetDelay: totals.jitterBufferTargetDelay,
    jitterBufferEmittedCount: Math.round(totals.emittedSamples),
    totalSamplesReceived: (counters?.samplesReceived ?? 0) + concealedSamples,
    concealedSamples,
    silentConcealedSamples: concealedSamples,
    concealmentEvents: totals.underruns,
    insertedSamplesForDeceleration: 0,
    removedSamplesForAcceleration: 0,
    bytesReceived: counters?.bytesReceived ?? 0,
    framesReceived: counters?.framesReceived ?? 0,
    framesMalformed: counters?.framesMalformed ?? 0,
    sequenceGaps: counters?.sequenceGaps ?? 0,
    underruns: totals.underruns,
    firstFrameToSoundMs,
    socketOpenMs: counters?.socketOpenMs ?? 0,
    transport: line?.transport ?? null,
    audioBackend: output?.backend ?? null,
    sampleRate: line?.sampleRate ?? null,
    contextSampleRate: output?.sampleRate ?? null,
    outputLatency: output?.latency ?? null,
    headerByteOrder: counters?.byteOrder ?? 'unknown',
  };
}
