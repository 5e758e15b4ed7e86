import { LevelHistory } from './level-history.js';

/** Seconds of speech per bar. */
const BAR_SECONDS = 0.05;
/** Distance and width of bars, in CSS pixels. */
const PITCH = 4;
const THICKNESS = 2.5;
/** Height of a bar of received speech that has not been heard, in CSS pixels. Speech not yet received is a dot. */
const BUFFERED_HEIGHT = 7;
/** Position of the current time as a fraction of the width. Heard speech is to its left; mirrored in RTL text. */
const NOW = 0.72;
/** Number of bars that are kept; more than fit on a wide screen. */
const KEPT_BARS = 2048;

/** Draws heard speech as bars and received speech as dots. No allocation per frame. Main thread. */
export class Bars {
  /** Levels of the heard speech. */
  readonly history = new LevelHistory(BAR_SECONDS, KEPT_BARS);
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #style: CSSStyleDeclaration;
  #ratio = 1;
  #heardColor = '';
  #bufferedColor = '';
  #emptyColor = '';

  /** @param view - Window of the canvas. */
  constructor(canvas: HTMLCanvasElement, view: Window & typeof globalThis) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d')!;
    this.#style = view.getComputedStyle(canvas);
  }

  /**
   * Takes the colours from the canvas: `color` for heard, `stroke` for buffered, `fill` for missing speech.
   *
   * @param ratio - Pixels of the canvas per CSS pixel.
   */
  readStyle(ratio: number): void {
    const { color, stroke, fill } = this.#style;
    this.#heardColor = color;
    this.#bufferedColor = stroke;
    this.#emptyColor = fill;
    this.#ratio = ratio;
  }

  /** Draws the bars around a time. Both in seconds of speech. */
  paint(time: number, bufferedEnd: number): void {
    const { width, height } = this.#canvas;
    const pitch = PITCH * this.#ratio;
    const now = width * NOW;
    const heard = time > 0 ? this.history.barOf(time) : -1;
    const buffered = bufferedEnd > time ? this.history.barOf(bufferedEnd) : heard;
    const first = Math.floor((time - (now / pitch) * BAR_SECONDS) / BAR_SECONDS);
    const last = Math.ceil((time + ((width - now) / pitch) * BAR_SECONDS) / BAR_SECONDS);
    const origin = now - (time / BAR_SECONDS) * pitch;
    this.#context.clearRect(0, 0, width, height);
    this.#bars(first, Math.min(-1, last), origin, this.#emptyColor, THICKNESS);
    this.#bars(Math.max(0, first), heard, origin, this.#heardColor);
    this.#bars(heard + 1, Math.min(buffered, last), origin, this.#bufferedColor, BUFFERED_HEIGHT);
    this.#bars(buffered + 1, last, origin, this.#emptyColor, THICKNESS);
  }

  /**
   * Draws the bars `from` to `to`, inclusive.
   *
   * @param origin - Horizontal position of bar 0, in canvas pixels.
   * @param cssHeight - Height in CSS pixels; if omitted, the level of each bar gives its height.
   */
  #bars(from: number, to: number, origin: number, color: string, cssHeight: number = 0): void {
    const context = this.#context;
    const { height } = this.#canvas;
    const thickness = THICKNESS * this.#ratio;
    const pitch = PITCH * this.#ratio;
    context.fillStyle = color;
    context.beginPath();
    for (let bar = from; bar <= to; bar++) {
      const loud = thickness + this.history.levelOf(bar) ** 1.8 * (height - thickness);
      const length = cssHeight > 0 ? cssHeight * this.#ratio : loud;
      context.roundRect(origin + bar * pitch, (height - length) / 2, thickness, length, thickness / 2);
    }
    context.fill();
  }
}
