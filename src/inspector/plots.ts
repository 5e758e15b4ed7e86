import { html, nothing, type TemplateResult } from 'lit';
import { formatDuration, hasSpeech, paceAt } from './measures.js';
import type { Reading } from './recording.js';
import { type RecordingView, ZOOM_STEP } from './recording-view.js';
import { type TrackName, trackNames } from './tracks.js';

/** A pointer that has moved less than this is a click, not a drag. In CSS pixels. */
const DRAG_PX = 4;

/** Times closer than this count as equal, in seconds. */
const SAME_SECONDS = 0.001;

/** Renders the tracks and their figures: together a slider whose value is the time of the cursor. */
export function plots(view: RecordingView, gestures: PlotGestures): TemplateResult {
  const { fromSeconds, toSeconds } = view.range;
  return html`<div
    part="plots"
    role="slider"
    tabindex="0"
    aria-label="Time in the recording"
    aria-valuemin=${fromSeconds.toFixed(2)}
    aria-valuemax=${toSeconds.toFixed(2)}
    aria-valuenow=${view.atSeconds.toFixed(2)}
    aria-valuetext=${spokenFigures(view)}
    @keydown=${gestures.keydown}
    @wheel=${gestures.wheel}
    @pointerdown=${gestures.pointerdown}
    @pointermove=${gestures.pointermove}
    @pointerup=${gestures.pointerup}
    @pointercancel=${gestures.pointerup}
    @pointerleave=${gestures.pointerleave}
  >
    ${trackNames.map(
      (name) =>
        html`<div class="track ${name}">
          ${trackHead(name, view)}
          <canvas class=${name} data-track=${name}></canvas>
        </div>`,
    )}
  </div>`;
}

/** Renders the line above a track: its name, its legend, and the figures at the cursor. */
function trackHead(name: TrackName, { readings, index }: RecordingView): TemplateResult | typeof nothing {
  const reading = readings[index];
  /** Renders a figure; a dash if no speech has been recorded. */
  const figure = (text: () => string): TemplateResult => value(hasSpeech(readings) ? text() : '–');
  switch (name) {
    case 'buffer':
      return html`<div class="head">
        <b>Buffer</b>
        <span>${swatch('buffer')}held ${figure(() => (reading ? formatDuration(reading.bufferedSeconds) : '–'))}</span>
        <span>${swatch('target', 'dashed')}target ${value(reading ? formatDuration(reading.targetSeconds) : '–')}</span>
        <span>${swatch('trouble')}underruns ${figure(() => String(sum(readings, 'underruns')))}</span>
      </div>`;
    case 'arrivals':
      return html`<div class="head">
        <b>Arrivals</b>
        <span
          >${swatch('arrivals')}last second ${figure(() => formatDuration(arrivedInLastSecond(readings, index)))}</span
        >
      </div>`;
    case 'pace': {
      const pace = paceAt(readings, index);
      return html`<div class="head">
        <b>Pace</b>
        <span>${swatch('pace')}${value(pace === null ? '–' : `${pace.toFixed(2)}×`)}</span>
      </div>`;
    }
    case 'heard': {
      const silent = sum(readings, 'silentSeconds');
      const concealed = sum(readings, 'concealedSeconds');
      return html`<div class="head">
        <b>Heard</b>
        <span>${swatch('buffer')}speech</span>
        <span>${swatch('concealed')}made up ${figure(() => formatDuration(concealed - silent))}</span>
        <span>${swatch('trouble', 'hollow')}silence ${figure(() => formatDuration(silent))}</span>
      </div>`;
    }
    default:
      return nothing;
  }
}

/** Returns the figures at the cursor as text for screen readers. */
function spokenFigures({ readings, index, atSeconds, underruns }: RecordingView): string {
  const reading = readings[index];
  if (!reading) return 'nothing recorded';
  const figures = [
    `${atSeconds.toFixed(2)} seconds`,
    `${formatDuration(reading.bufferedSeconds)} held`,
    `target ${formatDuration(reading.targetSeconds)}`,
  ];
  const pace = paceAt(readings, index);
  if (pace !== null) figures.push(`pace ${pace.toFixed(2)}`);
  const isDry = underruns.some(
    ({ fromSeconds, toSeconds }) => atSeconds > fromSeconds - SAME_SECONDS && atSeconds <= toSeconds,
  );
  if (isDry) figures.push('underrun');
  return figures.join(', ');
}

function swatch(color: string, shape = ''): TemplateResult {
  return html`<i class="key ${shape} ${color}-color"></i>`;
}

function value(text: string): TemplateResult {
  return html`<span class="value">${text}</span>`;
}

function sum(readings: readonly Reading[], name: keyof Reading): number {
  return readings.reduce((total, reading) => total + reading[name], 0);
}

/** Returns the speech received in the second up to the reading `index`, in seconds. */
function arrivedInLastSecond(readings: readonly Reading[], index: number): number {
  const nowSeconds = readings[index]?.atSeconds ?? 0;
  let arrived = 0;
  for (let i = index; i >= 0 && nowSeconds - readings[i]!.atSeconds < 1; i--) arrived += readings[i]!.arrivedSeconds;
  return arrived;
}

/** Event listeners of the plots, named after their events. They move the cursor and the visible part of the recording. */
export class PlotGestures {
  readonly #view: RecordingView;
  readonly #changed: () => void;
  #drag: { readonly id: number; x: number; hasMoved: boolean } | null = null;

  /** @param changed - Called after a change of the view. */
  constructor(view: RecordingView, changed: () => void) {
    this.#view = view;
    this.#changed = changed;
  }

  readonly keydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#pressKey(event)) return;
    event.preventDefault();
    this.#changed();
  };

  /** Returns false if the key has no function here. */
  #pressKey({ key, shiftKey }: KeyboardEvent): boolean {
    const view = this.#view;
    const at = view.atSeconds;
    const { fromSeconds, toSeconds } = view.range;
    const step = view.visible.spanSeconds / (shiftKey ? 5 : 100);
    const starts = view.underruns.map((underrun) => underrun.fromSeconds);
    const previous = starts.findLast((start) => start < at - SAME_SECONDS);
    const next = starts.find((start) => start > at + SAME_SECONDS);
    if (key === 'ArrowLeft' || key === 'ArrowDown') view.moveCursor(at - step);
    else if (key === 'ArrowRight' || key === 'ArrowUp') view.moveCursor(at + step);
    else if (key === 'Home') view.moveCursor(fromSeconds);
    else if (key === 'End') view.moveCursor(toSeconds);
    else if (key === 'PageUp') view.moveCursor(previous ?? at);
    else if (key === 'PageDown') view.moveCursor(next ?? at);
    else if (key === '+' || key === '=') view.zoom(1 / ZOOM_STEP);
    else if (key === '-') view.zoom(ZOOM_STEP);
    else if (key === 'Escape') view.cursorSeconds = null;
    else return false;
    return true;
  }

  /** Not passive: it prevents the page from scrolling while the wheel zooms or pans. */
  readonly wheel = {
    passive: false,
    handleEvent: (event: WheelEvent): void => {
      const target = event.currentTarget as HTMLElement;
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!isSideways && !event.ctrlKey && !target.matches(':focus')) return;
      event.preventDefault();
      if (isSideways) this.#pan(target, -event.deltaX);
      else {
        const notches = Math.max(-1, Math.min(1, event.deltaY / 100));
        this.#view.zoom(ZOOM_STEP ** (notches / 2), this.#secondsAt(target, event.clientX));
      }
      this.#changed();
    },
  };

  readonly pointerdown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#drag = { id: event.pointerId, x: event.clientX, hasMoved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  readonly pointermove = (event: PointerEvent): void => {
    const target = event.currentTarget as HTMLElement;
    const drag = this.#drag;
    if (drag?.id === event.pointerId) {
      const byPx = event.clientX - drag.x;
      if (!drag.hasMoved && Math.abs(byPx) < DRAG_PX) return;
      drag.hasMoved = true;
      drag.x = event.clientX;
      this.#pan(target, byPx);
    } else if (event.pointerType === 'mouse') {
      this.#view.cursorSeconds = this.#secondsAt(target, event.clientX);
    } else return;
    this.#changed();
  };

  /** Also listens to `pointercancel`. */
  readonly pointerup = (event: PointerEvent): void => {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.id !== event.pointerId || drag.hasMoved || event.type !== 'pointerup') return;
    this.#view.moveCursor(this.#secondsAt(event.currentTarget as HTMLElement, event.clientX));
    this.#changed();
  };

  /** While live, the cursor follows the mouse and disappears with it. Otherwise it keeps its place. */
  readonly pointerleave = (): void => {
    if (!this.#view.isLive) return;
    this.#view.cursorSeconds = null;
    this.#changed();
  };

  #pan({ clientWidth }: HTMLElement, byPx: number): void {
    this.#view.pan((-byPx / clientWidth) * this.#view.visible.spanSeconds);
  }

  #secondsAt(target: HTMLElement, clientX: number): number {
    const { left, width } = target.getBoundingClientRect();
    const { toSeconds, spanSeconds } = this.#view.visible;
    return toSeconds - spanSeconds * (1 - (clientX - left) / width);
  }
}
