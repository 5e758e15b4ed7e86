import { html, svg, type TemplateResult } from 'lit';
import { ZOOM_STEP } from './plot-gestures.js';
import type { ShownRecording } from './shown-recording.js';

const icons = {
  pause: svg`<path d="M6 4v8M10 4v8"/>`,
  live: svg`<path d="M5.5 3.8v8.4L12 8z"/>`,
  out: svg`<path d="M4 8h8"/>`,
  in: svg`<path d="M4 8h8M8 4v8"/>`,
  save: svg`<path d="M8 2.5v7M5 7l3 3 3-3M3 13h10"/>`,
  load: svg`<path d="M8 10V3M5 5.5l3-3 3 3M3 13h10"/>`,
};

/** What the buttons do. */
export interface ToolbarActions {
  pause(): void;
  follow(): void;
  /** @param factor - So many times as much is shown. */
  zoom(factor: number): void;
  showAll(): void;
  clear(): void;
  save(): void;
  load(file: File): void;
}

/** The buttons above the pictures. */
export function toolbar({ following, readings, imported }: ShownRecording, actions: ToolbarActions): TemplateResult {
  const empty = readings.length === 0;
  return html`<div part="toolbar">
    <button type="button" @click=${() => (following ? actions.pause() : actions.follow())} ?disabled=${empty}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${following ? icons.pause : icons.live}</svg>
      ${following ? 'Pause' : 'Live'}
    </button>
    <div class="joined" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom out" @click=${() => actions.zoom(ZOOM_STEP)} ?disabled=${empty}>
        <svg viewBox="0 0 16 16" aria-hidden="true">${icons.out}</svg>
      </button>
      <button type="button" aria-label="Zoom in" @click=${() => actions.zoom(1 / ZOOM_STEP)} ?disabled=${empty}>
        <svg viewBox="0 0 16 16" aria-hidden="true">${icons.in}</svg>
      </button>
      <button type="button" aria-label="Show all" @click=${() => actions.showAll()} ?disabled=${empty}>All</button>
    </div>
    <button type="button" @click=${() => actions.clear()} ?disabled=${empty || imported !== null}>Clear</button>
    <button type="button" @click=${() => actions.save()} ?disabled=${empty}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons.save}</svg>Export
    </button>
    <button type="button" @click=${chooseFile}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons.load}</svg>Import
    </button>
    <input type="file" accept=".json,application/json" hidden @change=${(event: Event) => takeFile(event, actions)} />
  </div>`;
}

/** A button cannot ask for a file, but the field behind it can. */
function chooseFile({ currentTarget }: Event): void {
  ((currentTarget as HTMLButtonElement).nextElementSibling as HTMLInputElement).click();
}

function takeFile({ currentTarget }: Event, actions: ToolbarActions): void {
  const input = currentTarget as HTMLInputElement;
  const file = input.files?.[0];
  if (!file) return;
  actions.load(file);
  // The same file may be chosen again.
  input.value = '';
}
