import { html, type TemplateResult } from 'lit';
import type { LatencyTerms } from './latency-terms.js';
import type { ShownRecording } from './shown-recording.js';

/**
 * Says what is shown, and how it was played.
 *
 * @param terms - Null if there is neither a speaker nor a recording.
 * @param id - Of the speaker that is looked for.
 */
export function stateLine(
  { imported, following, recorder }: ShownRecording,
  terms: LatencyTerms | null,
  id: string,
): TemplateResult {
  const live = following && recorder?.running === true;
  const { transport, audioBackend, sampleRate, contextSampleRate } = terms?.pipeline ?? {};
  const rates = sampleRate && contextSampleRate ? `${sampleRate / 1000} to ${contextSampleRate / 1000} kHz` : '';
  const way = [transport && `${transport} transport`, audioBackend, rates].filter(Boolean).join(', ');
  const missing = id ? `No <svc-speaker id="${id}">` : 'No speaker: set for="id"';
  const doing = following ? (live ? 'Live' : 'Idle') : 'Paused';
  const what = imported ? `${imported.name}, ${when(imported.recording.recordedAt)}` : recorder ? doing : missing;
  return html`<p class="state">
    <i class="lamp ${live ? 'live' : ''}" aria-hidden="true"></i><strong>${what}</strong><span>${way}</span>
  </p>`;
}

/** A date of a recording, for people; as it is if it is none. */
function when(recordedAt: string): string {
  const date = new Date(recordedAt);
  if (Number.isNaN(date.getTime())) return recordedAt;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
