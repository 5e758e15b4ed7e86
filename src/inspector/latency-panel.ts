import { html, type TemplateResult } from 'lit';
import { frameToEar, longestWait, untilSound } from './latency.js';
import { latencyBar, milliseconds } from './latency-bars.js';
import type { LatencyTerms } from './latency-terms.js';
import type { ShownRecording } from './shown-recording.js';

/** So much more than twice the target is held because the service is ahead, not because the network was late. */
const AHEAD_SECONDS = 0.5;

/** The delays at the cursor's time, as bars. */
export function latencyPanel({ readings, events, index }: ShownRecording, terms: LatencyTerms | null): TemplateResult {
  const reading = readings[index];
  const wait = longestWait(readings, index);
  const ahead = reading !== undefined && reading.bufferedSeconds > 2 * reading.targetSeconds + AHEAD_SECONDS;
  return html`<div part="latency">
    ${latencyBar('Until the first sound', untilSound(events, reading?.atSeconds ?? 0))}
    ${latencyBar(
      'From frame to ear',
      frameToEar(reading, terms),
      [
        wait > 0 ? `Longest wait for a frame in ten seconds: ${milliseconds(wait)}.` : '',
        ahead ? 'Speech comes faster than it plays: more is held than the target.' : '',
      ]
        .join(' ')
        .trim(),
    )}
  </div>`;
}
