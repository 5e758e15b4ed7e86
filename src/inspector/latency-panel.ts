import { html, nothing, type TemplateResult } from 'lit';
import {
  currentWait,
  formatDuration,
  frameToEar,
  type LatencyPart,
  longestWait,
  type Start,
  untilSound,
} from './measures.js';
import type { SpeakerSetup } from './recording.js';
import type { RecordingView } from './recording-view.js';

/**
 * Margin over twice the target, in seconds. A fuller buffer means that the service sends ahead, not that frames are
 * late.
 */
const AHEAD_SECONDS = 0.5;

/** Seconds before the request that the bars of a start show. Earlier steps are cut off. */
const PREPARED_SECONDS = 1;

/** Label, origin and colour of each part. */
const descriptions: Record<LatencyPart['name'], { label: string; how?: string; color: string }> = {
  context: { label: 'Sound device', color: 'target' },
  worker: { label: 'Worker', color: 'muted' },
  worklet: { label: 'Worklet', color: 'muted' },
  session: { label: 'Session call', color: 'muted' },
  socket: { label: 'Socket', color: 'muted' },
  service: { label: 'Service and network', color: 'arrivals' },
  start: { label: 'Filling up', color: 'buffer' },
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
    ${startBars(untilSound(readings, events, reading?.atSeconds ?? 0))}
    ${latencyBar('From frame to ear', frameToEar(reading, setup), notes.join(' ').trim())}
  </div>`;
}

/** Renders one bar for each part of a start, on one time axis, so that parts that overlap are seen to. */
function startBars({ seconds, parts }: Start): TemplateResult {
  const begins = parts.map(({ fromSeconds }) => fromSeconds ?? 0);
  const ends = parts.map((part) => (part.fromSeconds ?? 0) + (part.seconds ?? 0));
  const from = Math.max(-PREPARED_SECONDS, Math.min(0, ...begins));
  const total = Math.max(seconds ?? 0, ...ends) - from || 1;
  const percent = (at: number): string => `${((100 * Math.max(0, at - from)) / total).toFixed(2)}%`;
  return html`<div>
    <h3>Until the first sound <span>${seconds === null ? '–' : formatDuration(seconds)}</span></h3>
    <dl class="start" .style=${`--_request: ${percent(0)}`}>
      ${parts.map(({ name, seconds: length }, index) => {
        const { label, color } = descriptions[name];
        const place = `left: ${percent(begins[index]!)}; right: calc(100% - ${percent(ends[index]!)})`;
        return html`<div>
          <dt>${label}</dt>
          <dd class="bar" aria-hidden="true">
            ${length === null ? nothing : html`<i class="${color}-color" .style=${place}></i>`}
          </dd>
          <dd class="figure">${length === null ? '–' : formatDuration(length)}</dd>
        </div>`;
      })}
    </dl>
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
