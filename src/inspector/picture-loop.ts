import type { LitElement, ReactiveController } from 'lit';
import { colorsOf } from './palette.js';
import type { ShownRecording } from './shown-recording.js';
import { drawTrack, type TrackName } from './tracks.js';

/** Figures change at most so often; a picture, for those who asked for less motion. In milliseconds. */
const FIGURES_MS = 100;
const CALM_MS = 500;

/** Draws the pictures of an inspector: when it is asked to, at another size, and frame by frame while its speaker is at work. */
export class PictureLoop implements ReactiveController {
  readonly #inspector: LitElement;
  readonly #shown: ShownRecording;
  #frame = 0;
  #drawnMs = 0;
  #figuresMs = 0;
  #resize: ResizeObserver | undefined;
  #calm: MediaQueryList | undefined;

  constructor(inspector: LitElement, shown: ShownRecording) {
    this.#inspector = inspector;
    this.#shown = shown;
    inspector.addController(this);
  }

  hostConnected(): void {
    this.#calm ??= matchMedia('(prefers-reduced-motion: reduce)');
  }

  hostDisconnected(): void {
    this.#resize?.disconnect();
    this.#resize = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  hostUpdated(): void {
    if (this.#resize || !this.#inspector.isConnected) return;
    this.#resize = new ResizeObserver(() => this.#draw());
    this.#resize.observe(this.#inspector.renderRoot.querySelector('[part=plots]')!);
  }

  /** Draws with the next frame, unless that is too soon for those who asked for less motion. */
  schedule(): void {
    const { following } = this.#shown;
    const calm = this.#calm?.matches && following && performance.now() - this.#drawnMs < CALM_MS;
    if (this.#frame || calm || !this.#inspector.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (this.#shown.recorder?.running && this.#shown.following && !this.#calm?.matches) this.schedule();
    });
  }

  #draw(): void {
    const inspector = this.#inspector;
    if (!inspector.hasUpdated || !inspector.checkVisibility()) return;
    const nowMs = performance.now();
    this.#drawnMs = nowMs;
    const { readings, events, underruns, view, cursorSeconds } = this.#shown;
    const data = { readings, events, underruns, view, cursorSeconds, colors: colorsOf(inspector) };
    for (const canvas of inspector.renderRoot.querySelectorAll('canvas')) {
      drawTrack(canvas.dataset.track as TrackName, canvas, data);
    }
    if (nowMs - this.#figuresMs < FIGURES_MS && this.#shown.recorder?.running) return;
    this.#figuresMs = nowMs;
    inspector.requestUpdate();
  }
}
