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
/** Range of levels from a dot to full height, in dBFS. The mean level of speech at full scale is about -14. */
const LEVELS_DB = { floor: -46, full: -7 } as const;
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
 * Takes its colours from the canvas: `color` for heard, `stroke` for buffered, `fill` for missing speech. Draws when
 * the state, size or colours change; animates only while sound plays and the page is visible. No allocation per frame.
 * Main thread.
 */
export class Waveform {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #style: CSSStyleDeclaration;
  readonly #view: Window & typeof globalThis;
  readonly #reducedMotion: MediaQueryList;
  readonly #history = new LevelHistory(BAR_SECONDS, KEPT_BARS);
  /** The node whose level is read, and its analyser. */
  #analysed: AudioNode | undefined;
  #analyser: AnalyserNode | undefined;
  /** Samples of which a level is computed: 43 ms at 48 kHz, a little more than the time between two frames. */
  readonly #samples = new Float32Array(2048);
  readonly #observer: ResizeObserver;
  readonly #life = new AbortController();
  #resolution: MediaQueryList | undefined;
  readonly #draw = (nowMs: number): void => this.#frame(nowMs);
  #state: WaveformState = { source: null, currentTime: 0, bufferedEnd: 0, playbackRate: 1 };
  #stateAtMs = 0;
  #requested = 0;
  #timer = 0;
  /** The time that the animation has reached, in seconds. */
  #time = 0;
  /** The time shown by the latest frame, in seconds; -1 after a change of state, size or colours. */
  #drawn = -1;
  // Read from the page.
  #ratio = 1;
  #heardColor = '';
  #bufferedColor = '';
  #emptyColor = '';

  /** Returns a waveform, or undefined if pages are not drawn: jsdom and happy-dom lack the needed APIs. */
  static on(canvas: HTMLCanvasElement): Waveform | undefined {
    const view = canvas.ownerDocument.defaultView as Partial<Window & typeof globalThis> | null;
    return view?.matchMedia && view.ResizeObserver && canvas.getContext('2d') ? new Waveform(canvas) : undefined;
  }

  /** @param canvas - Must be in its final document. After a move to another document, create a new waveform. */
  private constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#view = canvas.ownerDocument.defaultView ?? window;
    this.#context = canvas.getContext('2d')!;
    this.#style = this.#view.getComputedStyle(canvas);
    this.#reducedMotion = this.#view.matchMedia('(prefers-reduced-motion: reduce)');
    // Without its style sheet, for example while it moves between documents, the canvas would grow whenever its size is
    // read.
    canvas.style.contain = 'size';
    this.#observer = new this.#view.ResizeObserver(this.#resize);
    this.#observer.observe(canvas);
    // The style sheet has a transition on the colours, so an event fires when they change.
    canvas.addEventListener('transitionend', this.#redraw, { signal: this.#life.signal });
  }

  /** Shows a state in the next frame. */
  show(state: WaveformState): void {
    const { source, currentTime, bufferedEnd } = this.#state;
    if (!source && !state.source && state.currentTime === currentTime && state.bufferedEnd === bufferedEnd) {
      return;
    }
    if (state.currentTime < currentTime) {
      this.#history.clear();
      this.#time = 0;
      this.#dropAnalyser();
    }
    this.#state = state;
    this.#stateAtMs = this.#view.performance.now();
    this.#drawn = -1;
    // While sound is drawn, the next frame is on its way.
    if (this.#timer === 0) this.#request();
  }

  /** Stops drawing. Idempotent. */
  close(): void {
    this.#life.abort();
    this.#observer.disconnect();
    this.#resolution?.removeEventListener('change', this.#resize);
    this.#cancelRequest();
    this.#dropAnalyser();
  }

  /** Adapts to a new size of the canvas, a new zoom level or another screen. */
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
      this.#history.note(time, this.#level(source));
      this.#timer = this.#view.setTimeout(this.#request, PAUSE_MS);
    }
    if (this.#reducedMotion.matches) time = Math.floor(time / REDUCED_MOTION_SECONDS) * REDUCED_MOTION_SECONDS;
    if (time === this.#drawn) return;
    if (this.#drawn < 0) this.#readColors();
    this.#drawn = time;
    this.#paint(time, bufferedEnd);
  }

  #readColors(): void {
    const { color, stroke, fill } = this.#style;
    this.#heardColor = color;
    this.#bufferedColor = stroke;
    this.#emptyColor = fill;
  }

  /** Returns the level of the sound, 0 to 1. */
  #level(source: AudioNode): number {
    const samples = this.#samples;
    if (this.#analysed !== source) {
      this.#analysed = source;
      this.#analyser = source.context.createAnalyser();
      this.#analyser.fftSize = samples.length;
      source.connect(this.#analyser);
    }
    this.#analyser!.getFloatTimeDomainData(samples);
    let power = 1e-12;
    for (const sample of samples) power += sample ** 2 / samples.length;
    const db = 10 * Math.log10(power);
    return Math.min(1, Math.max(0, (db - LEVELS_DB.floor) / (LEVELS_DB.full - LEVELS_DB.floor)));
  }

  /** Each speech gets a new analyser (quirk `webkit-stale-analyser`). */
  #dropAnalyser(): void {
    try {
      this.#analysed?.disconnect(this.#analyser!);
    } catch {
      // The speaker has closed the node.
    }
    this.#analysed = undefined;
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
