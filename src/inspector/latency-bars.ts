import { html, nothing, type TemplateResult } from 'lit';
import type { LatencyPart } from './latency.js';

/** How a part is shown: its name, where its figure is from, and its colour. */
const words: Record<LatencyPart['name'], { label: string; how: string; color: string }> = {
  session: { label: 'Session and socket', how: 'by events', color: 'muted' },
  service: { label: 'Service and network', how: 'by events, to the first frame', color: 'arrivals' },
  start: { label: 'Filling up, and output', how: 'by events, to the ear', color: 'buffer' },
  buffer: { label: 'Jitter buffer', how: 'measured, audio thread', color: 'buffer' },
  resampler: { label: 'Resampler', how: 'computed, filter', color: 'pace' },
  output: { label: 'Output', how: 'told by the browser', color: 'target' },
};

/**
 * A bar whose pieces are as long as the parts, and their figures under it.
 *
 * @param note - What else is to be known.
 */
export function latencyBar(title: string, parts: readonly LatencyPart[], note = ''): TemplateResult {
  const known = parts.filter(({ seconds }) => seconds !== null);
  const total = known.reduce((sum, { seconds }) => sum + seconds!, 0);
  return html`<div>
    <h3>${title} <span>${known.length === parts.length ? milliseconds(total) : '–'}</span></h3>
    <div class="bar" aria-hidden="true">
      ${
        total > 0
          ? known.map(
              ({ name, seconds }) =>
                html`<i class="${words[name].color}-color" .style=${`flex: ${(seconds! / total).toFixed(4)} 1 0`}></i>`,
            )
          : nothing
      }
    </div>
    <dl>
      ${parts.map(
        ({ name, seconds }) =>
          html`<div>
            <dt><i class="key ${words[name].color}-color" aria-hidden="true"></i>${words[name].label}</dt>
            <dd class="how">${words[name].how}</dd>
            <dd class="figure">${seconds === null ? '–' : milliseconds(seconds)}</dd>
          </div>`,
      )}
    </dl>
    ${note ? html`<p class="note">${note}</p>` : nothing}
  </div>`;
}

/** Such as `3 ms`, `2.7 ms` or `1.25 s`. */
export function milliseconds(seconds: number): string {
  if (seconds >= 10) return `${seconds.toFixed(1)} s`;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  const ms = seconds * 1000;
  return `${ms > 0 && ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
