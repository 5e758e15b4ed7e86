import { LevelHistory } from './level-history.js';

/** Speech that one bar stands for. */
const BAR_SECONDS = 0.05;
/** CSS pixels from bar to bar, and of a bar. */
const PITCH = 4;
const THICKNESS = 2.5;
/** How high a bar is of what has come, and is not heard yet; what has not come is a dot. */
const BUFFERED_HEIGHT = 7;
/** What is left of this part of the width has been heard, what is right of it is to come. Mirrored from right to left. */
const NOW = 0.72;
/** Bars that are kept: more than a wide screen has. */
const KEPT_BARS = 2048;
/** Levels that are drawn, in dBFS: from a dot to full height. Speech at full scale has about -14 on average. */
const LEVELS_DB = { floor: -46, full: -7 } as const;
/** Steps in which it moves for those who asked for little motion. */
const CALM_SECONDS = 0.5;

/** What is drawn of a speaker. Times are seconds of speech. */
export interface WaveformState {
  /** Where what is heard leaves, while something is. */
  readonly source: AudioNode | null;
  readonly currentTime: number;
  /** Until where speech has come. */
  readonly bufferedEnd: number;
  /** How fast time goes on until the next state. */
  readonly playbackRate: number;
}

/**
 * Draws what is heard as bars that move by, and what has come of the rest as dots.
 *
 * Colours are those of the canvas: `color` of what was heard, `stroke` of what is buffered, `fill` of what is not there.
 * It draws when there is something new, and moves only while sound leaves and the page is seen; nothing is allocated
 * from frame to frame. Main thread.
 */
export class Waveform {
  /** What it draws on. */
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #look: CSSStyleDeclaration;
  readonly #view: Window & typeof globalThis;
  readonly #calm: MediaQueryList;
  readonly #history = new LevelHistory(BAR_SECONDS, KEPT_BARS);
  /** One per node, for as long as the node lives. */
  readonly #analysers = new WeakMap<AudioNode, AnalyserNode>();
  readonly #samples = new Float32Array(1024);
  readonly #observer: ResizeObserver;
  readonly #life = new AbortController();
  #resolution: MediaQueryList | undefined;
  readonly #draw = (nowMs: number): void => this.#frame(nowMs);
  #state: WaveformState = { source: null, currentTime: 0, bufferedEnd: 0, playbackRate: 1 };
  #stateAtMs = 0;
  #requested = 0;
  /** How far it has moved. */
  #time = 0;
  /** Seconds that the last picture shows. */
  #drawn = -1;
  // Until the next look at the page.
  #ratio = 1;
  #heardColor = '';
  #bufferedColor = '';
  #emptyColor = '';

  /** @param canvas - In the document in which it is seen; for another one, it takes another of these. */
  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#view = canvas.ownerDocument.defaultView ?? window;
    this.#context = canvas.getContext('2d')!;
    this.#look = this.#view.getComputedStyle(canvas);
    this.#calm = this.#view.matchMedia('(prefers-reduced-motion: reduce)');
    // Without its style sheet, as on the way to another document, it would grow with each look at its size.
    canvas.style.contain = 'size';
    this.#observer = new this.#view.ResizeObserver(this.#resize);
    this.#observer.observe(canvas);
    // The style sheet has them transition: so there is an event when page, theme or user have other colours.
    canvas.addEventListener('transitionend', () => this.#redraw(), { signal: this.#life.signal });
  }

  /** Shows another state, in the next frame. */
  show(state: WaveformState): void {
    const { source, currentTime, bufferedEnd } = this.#state;
    if (!source && state.source === source && state.currentTime === currentTime && state.bufferedEnd === bufferedEnd) {
      return;
    }
    if (state.currentTime < currentTime) {
      this.#history.clear();
      this.#time = 0;
    }
    this.#state = state;
    this.#stateAtMs = this.#view.performance.now();
    this.#redraw();
  }

  /** Is drawn no more. Idempotent. */
  close(): void {
    this.#life.abort();
    this.#observer.disconnect();
    this.#resolution?.removeEventListener('change', this.#resize);
    this.#view.cancelAnimationFrame(this.#requested);
  }

  /** The canvas has another size, the page is zoomed, or has come to another screen. */
  readonly #resize = (): void => {
    const canvas = this.canvas;
    const ratio = this.#view.devicePixelRatio;
    this.#resolution?.removeEventListener('change', this.#resize);
    this.#resolution = this.#view.matchMedia(`(resolution: ${ratio}dppx)`);
    this.#resolution.addEventListener('change', this.#resize);
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    this.#ratio = ratio;
    this.#redraw();
  };

  #redraw(): void {
    const { color, stroke, fill } = this.#look;
    this.#heardColor = color;
    this.#bufferedColor = stroke;
    this.#emptyColor = fill;
    this.#drawn = -1;
    this.#request();
  }

  /** In a page that is not seen, the frame comes when it is. */
  #request(): void {
    this.#view.cancelAnimationFrame(this.#requested);
    this.#requested = this.#view.requestAnimationFrame(this.#draw);
  }

  #frame(nowMs: number): void {
    const { source, currentTime, bufferedEnd, playbackRate } = this.#state;
    let time = currentTime;
    if (source) {
      time += Math.max(0, ((nowMs - this.#stateAtMs) / 1000) * playbackRate);
      // The pace follows the network: where the state is behind what was drawn, the picture waits for it.
      time = this.#time = Math.max(time, this.#time);
      this.#history.note(time, this.#level(source));
      this.#request();
    }
    if (this.#calm.matches) time = Math.floor(time / CALM_SECONDS) * CALM_SECONDS;
    if (time === this.#drawn) return;
    this.#drawn = time;
    this.#paint(time, bufferedEnd);
  }

  /** Of what is heard, 0 to 1. */
  #level(source: AudioNode): number {
    const samples = this.#samples;
    this.#analyserOf(source).getFloatTimeDomainData(samples);
    let power = 1e-12;
    for (let index = 0; index < samples.length; index++) power += samples[index]! ** 2 / samples.length;
    const db = 10 * Math.log10(power);
    return Math.min(1, Math.max(0, (db - LEVELS_DB.floor) / (LEVELS_DB.full - LEVELS_DB.floor)));
  }

  #analyserOf(source: AudioNode): AnalyserNode {
    let analyser = this.#analysers.get(source);
    if (!analyser) {
      analyser = source.context.createAnalyser();
      analyser.fftSize = this.#samples.length;
      source.connect(analyser);
      this.#analysers.set(source, analyser);
    }
    return analyser;
  }

  #paint(time: number, bufferedEnd: number): void {
    const { width, height } = this.canvas;
    const pitch = PITCH * this.#ratio;
    const now = width * NOW;
    const heard = time > 0 ? this.#history.barOf(time) : -1;
    const buffered = bufferedEnd > time ? this.#history.barOf(bufferedEnd) : heard;
    const first = Math.floor((time - (now / pitch) * BAR_SECONDS) / BAR_SECONDS);
    const last = Math.ceil((time + ((width - now) / pitch) * BAR_SECONDS) / BAR_SECONDS);
    const origin = now - (time / BAR_SECONDS) * pitch;
    this.#context.clearRect(0, 0, width, height);
    this.#bars(first, Math.min(-1, last), origin, this.#emptyColor, THICKNESS);
    this.#bars(Math.max(0, first), heard, origin, this.#heardColor);
    this.#bars(heard + 1, Math.min(buffered, last), origin, this.#bufferedColor, BUFFERED_HEIGHT);
    this.#bars(Math.max(heard, buffered) + 1, last, origin, this.#emptyColor, THICKNESS);
  }

  /**
   * Bars `from` to `to`, both included.
   *
   * @param origin - Where bar 0 is.
   * @param cssHeight - In CSS pixels; as high as they were loud if left out.
   */
  #bars(from: number, to: number, origin: number, color: string, cssHeight: number = 0): void {
    const context = this.#context;
    const { height } = this.canvas;
    const thickness = THICKNESS * this.#ratio;
    const pitch = PITCH * this.#ratio;
    context.fillStyle = color;
    context.beginPath();
    for (let bar = from; bar <= to; bar++) {
      const loud = thickness + this.#history.levelOf(bar) ** 1.8 * (height - thickness);
      const length = cssHeight > 0 ? cssHeight * this.#ratio : loud;
      context.roundRect(origin + bar * pitch, (height - length) / 2, thickness, length, thickness / 2);
    }
    context.fill();
  }
}
