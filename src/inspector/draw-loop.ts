import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { colorNames, type TrackColors } from './picture.js';
import type { RecordingView } from './recording-view.js';
import { drawTrack, type TrackName } from './tracks.js';

/** Shortest interval between two updates of the figures while recording, in milliseconds. */
const FIGURES_INTERVAL_MS = 100;
/** Shortest interval between two drawings with `prefers-reduced-motion`, in milliseconds. */
const REDUCED_MOTION_INTERVAL_MS = 500;

/** Draws the tracks of an inspector: on request, after a resize, and in each frame while its speaker is active. */
export class DrawLoop implements ReactiveController {
  readonly #inspector: LitElement;
  readonly #view: RecordingView;
  #frame = 0;
  #drawnMs = 0;
  #figuresMs = 0;
  #resizeObserver: ResizeObserver | undefined;
  #reducedMotion: MediaQueryList | undefined;

  constructor(inspector: LitElement, view: RecordingView) {
    this.#inspector = inspector;
    this.#view = view;
    inspector.addController(this);
  }

  hostConnected(): void {
    this.#reducedMotion ??= globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');
  }

  hostDisconnected(): void {
    this.#resizeObserver?.disconnect();
    this.#resizeObserver = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  hostUpdated(): void {
    // A DOM without layout, such as jsdom, has no ResizeObserver and nothing to draw on.
    if (this.#resizeObserver || !this.#inspector.isConnected || !globalThis.ResizeObserver) return;
    this.#resizeObserver = new ResizeObserver(() => this.#draw());
    this.#resizeObserver.observe(this.#inspector.renderRoot.querySelector('[part=plots]')!);
  }

  /** Draws in the next frame, unless reduced motion is preferred and the last drawing is too recent. */
  schedule(): void {
    const isTooSoon =
      this.#reducedMotion?.matches &&
      this.#view.isLive &&
      performance.now() - this.#drawnMs < REDUCED_MOTION_INTERVAL_MS;
    if (this.#frame || isTooSoon || !this.#inspector.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (this.#view.recorder?.running && this.#view.isLive && !this.#reducedMotion?.matches) this.schedule();
    });
  }

  #draw(): void {
    const inspector = this.#inspector;
    if (!inspector.hasUpdated || !inspector.checkVisibility?.()) return;
    const nowMs = performance.now();
    this.#drawnMs = nowMs;
    const { readings, events, underruns, visible, cursorSeconds } = this.#view;
    const data = { readings, events, underruns, visible, cursorSeconds, colors: readColors(inspector) };
    for (const canvas of inspector.renderRoot.querySelectorAll('canvas')) {
      drawTrack(canvas.dataset.track as TrackName, canvas, data);
    }
    if (nowMs - this.#figuresMs < FIGURES_INTERVAL_MS && this.#view.recorder?.running) return;
    this.#figuresMs = nowMs;
    inspector.requestUpdate();
  }
}

/** Hidden elements, one per colour. The browser resolves their custom properties and `light-dark()` for the canvases. */
export function palette(): TemplateResult {
  return html`<div class="palette">${colorNames.map((name) => html`<i class="${name}-color"></i>`)}</div>`;
}

/** Returns the colours of the current theme and colour scheme. */
function readColors(inspector: LitElement): TrackColors {
  const colors = colorNames.map((name): [string, string] => [
    name,
    getComputedStyle(inspector.renderRoot.querySelector(`.palette .${name}-color`)!).color,
  ]);
  const { color: text, fontFamily: font } = getComputedStyle(inspector);
  return { ...(Object.fromEntries(colors) as TrackColors), text, font };
}
