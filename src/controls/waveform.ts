import { Bars } from './bars.js';
import { fitCanvas } from './fit-canvas.js';
import { LevelMeter } from './level-meter.js';

/** Time between two frames, in milliseconds. */
const FRAME_MS = 50;
/** Step of movement, in seconds, for users who prefer reduced motion. */
const REDUCED_MOTION_SECONDS = 0.5;

/** The state that a waveform shows. Times are seconds of speech. */
export interface WaveformState {
  /** The node that plays; null while nothing is playing. */
  readonly source: AudioNode | null;
  readonly currentTime: number;
  /** End of the received speech, in seconds. */
  readonly bufferedEnd: number;
  /** Seconds of speech per second until the next state. */
  readonly playbackRate: number;
}

/**
 * Draws heard speech as moving bars and received speech as dots.
 *
 * Draws when the state, size or colours change; animates only while sound plays and the canvas is visible. No allocation
 * per frame. Main thread.
 */
export class Waveform {
  readonly canvas: HTMLCanvasElement;
  readonly #view: Window & typeof globalThis;
  readonly #reducedMotion: MediaQueryList;
  readonly #bars: Bars;
  readonly #meter = new LevelMeter();
  readonly #stopFitting: () => void;
  readonly #visibility: IntersectionObserver;
  #isVisible = false;
  /** The state, and when it was shown. */
  #state: WaveformState & { atMs: number } = { source: null, currentTime: 0, bufferedEnd: 0, playbackRate: 1, atMs: 0 };
  #requested = 0;
  #timer = 0;
  /** The time that the animation has reached, in seconds. */
  #time = 0;
  /** The time shown by the latest frame, in seconds; -1 after a change of state, size or colours. */
  #drawn = -1;

  /** Returns a waveform, or undefined if pages are not drawn: jsdom and happy-dom lack the needed APIs. */
  static on(canvas: HTMLCanvasElement): Waveform | undefined {
    const view = canvas.ownerDocument.defaultView as Partial<Window & typeof globalThis> | null;
    return view?.matchMedia && view.IntersectionObserver && canvas.getContext('2d') ? new Waveform(canvas) : undefined;
  }

  /** @param canvas - Must be in its final document. After a move to another document, create a new waveform. */
  private constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#view = canvas.ownerDocument.defaultView ?? window;
    this.#bars = new Bars(canvas, this.#view);
    this.#reducedMotion = this.#view.matchMedia('(prefers-reduced-motion: reduce)');
    this.#stopFitting = fitCanvas(canvas, this.#view, this.#redraw);
    this.#visibility = new this.#view.IntersectionObserver((entries) => {
      this.#isVisible = entries.at(-1)!.isIntersecting;
      this.#redraw();
    });
    this.#visibility.observe(canvas);
    // The style sheet has a transition on the colours, so an event fires when they change.
    canvas.addEventListener('transitionend', this.#redraw);
  }

  /** Shows a state in the next frame, which is that of other changes made at the same time. */
  show(state: WaveformState): void {
    const { source, currentTime, bufferedEnd } = this.#state;
    if (!source && !state.source && state.currentTime === currentTime && state.bufferedEnd === bufferedEnd) {
      return;
    }
    if (state.currentTime < currentTime) {
      this.#bars.history.clear();
      this.#time = 0;
      this.#meter.reset();
    }
    this.#state = { ...state, atMs: this.#view.performance.now() };
    this.#drawn = -1;
    if (this.#timer === 0) this.#request();
    else this.#draw();
  }

  /** Stops drawing. Idempotent. */
  close(): void {
    this.canvas.removeEventListener('transitionend', this.#redraw);
    this.#stopFitting();
    this.#visibility.disconnect();
    this.#cancelRequest();
    this.#meter.reset();
  }

  readonly #redraw = (): void => {
    this.#drawn = -1;
    this.#request();
  };

  /** Requests a frame. In a hidden page, the frame arrives once the page is shown. */
  #request(): void {
    this.#cancelRequest();
    this.#requested = this.#view.requestAnimationFrame(this.#draw);
  }

  #cancelRequest(): void {
    this.#view.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#view.cancelAnimationFrame(this.#requested);
  }

  /** Draws a frame. The next one waits for a timer only, because a request would cost the browser another frame. */
  readonly #draw = (): void => {
    if (this.#view.document.hidden) return this.#request();
    this.#cancelRequest();
    const { source, currentTime, bufferedEnd, playbackRate, atMs } = this.#state;
    let time = currentTime;
    if (source) {
      time += Math.max(0, ((this.#view.performance.now() - atMs) / 1000) * playbackRate);
      // The pace follows the network. If a new state is behind the drawn time, the animation waits for it.
      time = this.#time = Math.max(time, this.#time);
      this.#bars.history.note(time, this.#meter.read(source));
      this.#timer = this.#view.setTimeout(this.#draw, FRAME_MS);
    }
    if (this.#reducedMotion.matches) time = Math.floor(time / REDUCED_MOTION_SECONDS) * REDUCED_MOTION_SECONDS;
    if (!this.#isVisible || time === this.#drawn) return;
    if (this.#drawn < 0) this.#bars.readStyle(this.#view.devicePixelRatio);
    this.#drawn = time;
    this.#bars.paint(time, bufferedEnd);
  };
}
