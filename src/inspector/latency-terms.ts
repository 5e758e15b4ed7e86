import type { SvcSpeakerElement } from '../index.js';
import type { SpeakerRecording } from './recording.js';

/** The settings and rates that a delay is computed from. */
export type LatencyTerms = Pick<SpeakerRecording, 'settings' | 'pipeline'>;

/** Those of a speaker, as they are now. */
export function termsOf(speaker: SvcSpeakerElement): LatencyTerms {
  const { jitterBuffer, jitterBufferTarget, playbackRate, resampler } = speaker;
  const { transport, audioBackend, sampleRate, contextSampleRate } = speaker.getStats();
  return {
    settings: { jitterBuffer, jitterBufferTarget, playbackRate, resampler },
    pipeline: { transport, audioBackend, sampleRate, contextSampleRate },
  };
}
