import { html, svg, type TemplateResult } from 'lit';
import type { SpeakerSetup } from './recording.js';
import { type RecordingView, ZOOM_STEP } from './recording-view.js';

const icons = {
  pause: svg`<path d="M6 4v8M10 4v8"/>`,
  live: svg`<path d="M5.5 3.8v8.4L12 8z"/>`,
  out: svg`<path d="M4 8h8"/>`,
  in: svg`<path d="M4 8h8M8 4v8"/>`,
  save: svg`<path d="M8 2.5v7M5 7l3 3 3-3M3 13h10"/>`,
  load: svg`<path d="M8 10V3M5 5.5l3-3 3 3M3 13h10"/>`,
};

/** Commands of the toolbar. */
export interface ToolbarActions {
  pause(): void;
  follow(): void;
  /** Multiplies the visible span by `factor`. */
  zoom(factor: number): void;
  showAll(): void;
  clear(): void;
  /** @param texts - True if the user allows the file to contain the texts of the utterances. */
  save(texts: boolean): void;
  load(file: File): void;
}

/**
 * Renders the line that names the speaker or recording, and the pipeline that played it.
 *
 * @param setup - Null without a speaker and a recording.
 * @param id - Value of `for`: the `id` of the speaker.
 */
export function stateLine(
  { imported, isLive, recorder }: RecordingView,
  setup: SpeakerSetup | null,
  id: string,
): TemplateResult {
  const isRunning = isLive && recorder?.running === true;
  const { transport, audioBackend, sampleRate, contextSampleRate } = setup?.pipeline ?? {};
  const rates = sampleRate && contextSampleRate ? `${sampleRate / 1000} to ${contextSampleRate / 1000} kHz` : '';
  const pipeline = [transport && `${transport} transport`, audioBackend, rates].filter(Boolean).join(', ');
  const missing = id ? `No <svc-speaker id="${id}">` : 'No speaker: set for="id"';
  const activity = isLive ? (isRunning ? 'Live' : 'Idle') : 'Paused';
  const title = imported
    ? `${imported.name}, ${formatDate(imported.recording.recordedAt)}`
    : recorder
      ? activity
      : missing;
  return html`<p class="state">
    <i class="lamp ${isRunning ? 'live' : ''}" aria-hidden="true"></i><strong>${title}</strong><span>${pipeline}</span>
  </p>`;
}

/** Formats an ISO date in the page's language; returns any other text unchanged. */
function formatDate(recordedAt: string): string {
  const date = new Date(recordedAt);
  if (Number.isNaN(date.getTime())) return recordedAt;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export function toolbar({ isLive, readings, imported }: RecordingView, actions: ToolbarActions): TemplateResult {
  const isEmpty = readings.length === 0;
  return html`<div part="toolbar">
    <input type="file" accept=".json,application/json" hidden @change=${(event: Event) => takeFile(event, actions)} />
    <button type="button" @click=${() => (isLive ? actions.pause() : actions.follow())} ?disabled=${isEmpty}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${isLive ? icons.pause : icons.live}</svg>
      ${isLive ? 'Pause' : 'Live'}
    </button>
    <div class="joined" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom out" @click=${() => actions.zoom(ZOOM_STEP)} ?disabled=${isEmpty}>
        <svg viewBox="0 0 16 16" aria-hidden="true">${icons.out}</svg>
      </button>
      <button type="button" aria-label="Zoom in" @click=${() => actions.zoom(1 / ZOOM_STEP)} ?disabled=${isEmpty}>
        <svg viewBox="0 0 16 16" aria-hidden="true">${icons.in}</svg>
      </button>
      <button type="button" aria-label="Show all" @click=${() => actions.showAll()} ?disabled=${isEmpty}>All</button>
    </div>
    <button type="button" @click=${() => actions.clear()} ?disabled=${isEmpty || imported !== null}>Clear</button>
    <button type="button" @click=${(event: Event) => actions.save(agreesToTexts(event))} ?disabled=${isEmpty}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons.save}</svg>Export
    </button>
    <label class="texts"><input type="checkbox" name="texts" ?disabled=${isEmpty} />with texts</label>
    <button type="button" @click=${openFileDialog}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons.load}</svg>Import
    </button>
  </div>`;
}

/** Returns true if the box in the toolbar is checked. It is unchecked at first, because texts may be private. */
function agreesToTexts(event: Event): boolean {
  return inputIn(event, 'checkbox').checked;
}

/** Clicks the hidden file input of the toolbar. */
function openFileDialog(event: Event): void {
  inputIn(event, 'file').click();
}

function inputIn({ currentTarget }: Event, type: 'file' | 'checkbox'): HTMLInputElement {
  return (currentTarget as HTMLButtonElement).parentElement!.querySelector<HTMLInputElement>(`[type=${type}]`)!;
}

function takeFile({ currentTarget }: Event, actions: ToolbarActions): void {
  const input = currentTarget as HTMLInputElement;
  const file = input.files?.[0];
  if (!file) return;
  actions.load(file);
  // Without this, choosing the same file again would fire no `change` event.
  input.value = '';
}
