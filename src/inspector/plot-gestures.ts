import type { ShownRecording } from './shown-recording.js';

/** One press of a button or key. */
export const ZOOM_STEP = 2;

/** A pointer that moved less than this, in CSS pixels, has pressed and not dragged. */
const DRAG_PX = 4;

/** Moves through what is shown by key, wheel and pointer. */
export class PlotGestures {
  readonly #shown: ShownRecording;
  readonly #changed: () => void;
  #drag: { readonly id: number; x: number; moved: boolean } | null = null;

  /** @param changed - Called when something else is to be shown. */
  constructor(shown: ShownRecording, changed: () => void) {
    this.#shown = shown;
    this.#changed = changed;
  }

  readonly press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#obey(event)) return;
    event.preventDefault();
    this.#changed();
  };

  /** Returns whether the key means anything. */
  #obey({ key, shiftKey }: KeyboardEvent): boolean {
    const shown = this.#shown;
    const at = shown.atSeconds;
    const { fromSeconds, toSeconds } = shown.range;
    const step = shown.view.spanSeconds / (shiftKey ? 5 : 100);
    const starts = shown.underruns.map((dry) => dry.fromSeconds);
    // A millisecond beside it is still the same place.
    const before = starts.findLast((start) => start < at - 0.001);
    const behind = starts.find((start) => start > at + 0.001);
    if (key === 'ArrowLeft' || key === 'ArrowDown') shown.point(at - step);
    else if (key === 'ArrowRight' || key === 'ArrowUp') shown.point(at + step);
    else if (key === 'Home') shown.point(fromSeconds);
    else if (key === 'End') shown.point(toSeconds);
    else if (key === 'PageUp') shown.point(before ?? at);
    else if (key === 'PageDown') shown.point(behind ?? at);
    else if (key === '+' || key === '=') shown.zoom(1 / ZOOM_STEP);
    else if (key === '-') shown.zoom(ZOOM_STEP);
    else if (key === 'Escape') shown.cursorSeconds = null;
    else return false;
    return true;
  }

  /** A listener that is not passive: it keeps the page from scrolling, but only where the wheel means this. */
  readonly turn = {
    passive: false,
    handleEvent: (event: WheelEvent): void => {
      const plots = event.currentTarget as HTMLElement;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!sideways && !event.ctrlKey && !plots.matches(':focus')) return;
      event.preventDefault();
      if (sideways) this.#pan(plots, -event.deltaX);
      else {
        const notches = Math.max(-1, Math.min(1, event.deltaY / 100));
        this.#shown.zoom(ZOOM_STEP ** (notches / 2), this.#secondsAt(plots, event.clientX));
      }
      this.#changed();
    },
  };

  readonly grab = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#drag = { id: event.pointerId, x: event.clientX, moved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const plots = event.currentTarget as HTMLElement;
    const drag = this.#drag;
    if (drag?.id === event.pointerId) {
      const byPx = event.clientX - drag.x;
      if (!drag.moved && Math.abs(byPx) < DRAG_PX) return;
      drag.moved = true;
      drag.x = event.clientX;
      this.#pan(plots, byPx);
    } else if (event.pointerType === 'mouse') {
      this.#shown.cursorSeconds = this.#secondsAt(plots, event.clientX);
    } else return;
    this.#changed();
  };

  readonly release = (event: PointerEvent): void => {
    const drag = this.#drag;
    this.#drag = null;
    if (drag?.id !== event.pointerId || drag.moved || event.type !== 'pointerup') return;
    this.#shown.point(this.#secondsAt(event.currentTarget as HTMLElement, event.clientX));
    this.#changed();
  };

  /** While the pictures move, the cursor is the mouse's; once they are held, it stays where it is. */
  readonly leave = (): void => {
    if (!this.#shown.following) return;
    this.#shown.cursorSeconds = null;
    this.#changed();
  };

  #pan({ clientWidth }: HTMLElement, byPx: number): void {
    this.#shown.pan((-byPx / clientWidth) * this.#shown.view.spanSeconds);
  }

  #secondsAt(plots: HTMLElement, clientX: number): number {
    const { left, width } = plots.getBoundingClientRect();
    const { toSeconds, spanSeconds } = this.#shown.view;
    return toSeconds - spanSeconds * (1 - (clientX - left) / width);
  }
}
