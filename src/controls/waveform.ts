import { Bars } from './bars.js';
import { fitCanvas } from './fit-canvas.js';
import { LevelMeter } from './level-meter.js';

/** Pause between a frame and the request of the next one, in milliseconds: about 30 frames a second on any screen. */
const PAUSE_MS = 30;
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
 * Draws when the state, size or colours change; animates only while sound plays and the page is visible. No allocation
 * per frame. Main thread.
 */
export class Waveform {
  readonly canvas: HTMLCanvasElement;
  readonly #view: Window & typeof globalThis;
  readonly #reducedMotion: MediaQueryList;
  readonly #bars: Bars;
  readonly #meter = new LevelMeter();
  readonly #stopFitting: () => void;
  readonly #draw = (nowMs: number): void => this.#frame(nowMs);
  #state: WaveformState = { source: null, currentTime: 0, bufferedEnd: 0, playbackRate: 1 };
  #stateAtMs = 0;
  #requested = 0;
  #timer = 0;
  /** The time that the animation has reached, in seconds. */
  #time = 0;
  /** The time shown by the latest frame, in seconds; -1 after a change of state, size or colours. */
  #drawn = -1;

  /** Returns a waveform, or undefined if pages are not drawn: jsdom and happy-dom lack the needed APIs. */
  static on(canvas: HTMLCanvasElement): Waveform | undefined {
    const view = canvas.ownerDocument.defaultView as Partial<Window & typeof globalThis> | null;
    return view?.matchMedia && view.ResizeObserver && canvas.getContext('2d') ? new Waveform(canvas) : undefined;
  }

  /** @param canvas - Must be in its final document. After a move to another document, create a new waveform. */
  private constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#view = canvas.ownerDocument.defaultView ?? window;
    this.#bars = new Bars(canvas, this.#view);
    this.#reducedMotion = this.#view.matchMedia('(prefers-reduced-motion: reduce)');
    this.#stopFitting = fitCanvas(canvas, this.#view, this.#redraw);
    // The style sheet has a transition on the colours, so an event fires when they change.
    canvas.addEventListener('transitionend', this.#redraw);
  }

  /** Shows a state in the next frame. */
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
    this.#state = state;
    this.#stateAtMs = this.#view.performance.now();
    this.#drawn = -1;
    // While sound is drawn, the next frame is on its way.
    if (this.#timer === 0) this.#request();
  }

  /** Stops drawing. Idempotent. */
  close(): void {
    this.canvas.removeEventListener('transitionend', this.#redraw);
    this.#stopFitting();
    this.#cancelRequest();
    this.#meter.reset();
  }

  readonly #redraw = (): void => {
    this.#drawn = -1;
    this.#request();
  };

  /** Requests a frame. In a hidden page, the frame arrives once the page is shown. */
  readonly #request = (): void => {
    this.#cancelRequest();
    this.#requested = this.#view.requestAnimationFrame(this.#draw);
  };

  #cancelRequest(): void {
    this.#view.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#view.cancelAnimationFrame(this.#requested);
  }

  #frame(nowMs: number): void {
    const { source, currentTime, bufferedEnd, playbackRate } = this.#state;
    let time = currentTime;
    if (source) {
      time += Math.max(0, ((nowMs - this.#stateAtMs) / 1000) * playbackRate);
      // The pace follows the network. If a new state is behind the drawn time, the animation waits for it.
      time = this.#time = Math.max(time, this.#time);
      this.#bars.history.note(time, this.#meter.read(source));
      this.#timer = this.#view.setTimeout(this.#request, PAUSE_MS);
    }
    if (this.#reducedMotion.matches) time = Math.floor(time / REDUCED_MOTION_SECONDS) * REDUCED_MOTION_SECONDS;
    if (time === this.#drawn) return;
    if (this.#drawn < 0) this.#bars.readStyle(this.#view.devicePixelRatio);
    this.#drawn = time;
    this.#bars.paint(time, bufferedEnd);
  }
}
