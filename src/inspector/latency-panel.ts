import { html, nothing, type TemplateResult } from 'lit';
import { currentWait, formatDuration, frameToEar, type LatencyPart, longestWait, untilSound } from './measures.js';
import type { SpeakerSetup } from './recording.js';
import type { RecordingView } from './recording-view.js';

/**
 * Margin over twice the target, in seconds. A fuller buffer means that the service sends ahead, not that frames are
 * late.
 */
const AHEAD_SECONDS = 0.5;

/** Label, origin and colour of each part. */
const descriptions: Record<LatencyPart['name'], { label: string; how: string; color: string }> = {
  session: { label: 'Session and socket', how: 'by events', color: 'muted' },
  service: { label: 'Service and network', how: 'by events, to the first frame', color: 'arrivals' },
  start: { label: 'Filling up, and output', how: 'by events, to the ear', color: 'buffer' },
  buffer: { label: 'Jitter buffer', how: 'measured, audio thread', color: 'buffer' },
  resampler: { label: 'Resampler', how: 'computed, filter', color: 'pace' },
  output: { label: 'Output', how: 'told by the browser', color: 'target' },
};

/** Renders the delays at the cursor as bars. */
export function latencyPanel({ readings, events, index }: RecordingView, setup: SpeakerSetup | null): TemplateResult {
  const reading = readings[index];
  const wait = Math.max(longestWait(readings, index), currentWait(readings, events, index));
  const isAhead = reading !== undefined && reading.bufferedSeconds > 2 * reading.targetSeconds + AHEAD_SECONDS;
  const notes = [
    wait > 0 ? `Longest wait for a frame in ten seconds: ${formatDuration(wait)}.` : '',
    isAhead ? 'Speech comes faster than it plays: more is held than the target.' : '',
  ];
  return html`<div part="latency">
    ${latencyBar('Until the first sound', untilSound(events, reading?.atSeconds ?? 0))}
    ${latencyBar('From frame to ear', frameToEar(reading, setup), notes.join(' ').trim())}
  </div>`;
}

/** Renders a bar divided in proportion to the parts, with their figures and a note below it. */
function latencyBar(title: string, parts: readonly LatencyPart[], note = ''): TemplateResult {
  const known = parts.filter(({ seconds }) => seconds !== null);
  const total = known.reduce((sum, { seconds }) => sum + seconds!, 0);
  return html`<div>
    <h3>${title} <span>${known.length === parts.length ? formatDuration(total) : '–'}</span></h3>
    <div class="bar" aria-hidden="true">
      ${
        total > 0
          ? known.map(
              ({ name, seconds }) =>
                html`<i
                  class="${descriptions[name].color}-color"
                  .style=${`flex: ${(seconds! / total).toFixed(4)} 1 0`}
                ></i>`,
            )
          : nothing
      }
    </div>
    <dl>
      ${parts.map(({ name, seconds }) => {
        const { label, how, color } = descriptions[name];
        return html`<div>
          <dt><i class="key ${color}-color" aria-hidden="true"></i>${label}</dt>
          <dd class="how">${how}</dd>
          <dd class="figure">${seconds === null ? '–' : formatDuration(seconds)}</dd>
        </div>`;
      })}
    </dl>
    ${note ? html`<p class="note">${note}</p>` : nothing}
  </div>`;
}
