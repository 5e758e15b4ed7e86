import type { SvcSpeakerElement } from 'svc-speaker';
import { type ChartColors, readChartColors } from '../chart-marks.js';
import { SpeechLevel } from '../speech-level.js';
import { FRAME_MS } from './listening.js';

/** Visible time in milliseconds. */
const WINDOW_MS = 12_000;

/** Interval between two drawings, in milliseconds: normally, and with `prefers-reduced-motion`. */
const INTERVAL_MS = { full: 50, reduced: 500 } as const;

/** Level at the bottom of the assistant's side, in dBFS. */
const FLOOR_DB = -50;

/** A moment of the conversation. */
interface Moment {
  readonly atMs: number;
  /** Loudness of the assistant, 0 to 1. */
  readonly level: number;
  readonly isDucked: boolean;
}

/**
 * Live picture of both sides of a conversation: the assistant above, what the microphone hears below. Drawing pauses
 * after {@link WINDOW_MS} in which the speaker did not play and no microphone frame arrived.
 */
export class TwoSides {
  readonly #canvas: HTMLCanvasElement;
  readonly #speaker: SvcSpeakerElement;
  readonly #level: SpeechLevel;
  readonly #threshold: () => number;
  #moments: Moment[] = [];
  /** Frames of the microphone; `atMs` is the end of the frame. */
  #frames: { atMs: number; probability: number }[] = [];
  /** Times at which the assistant was stopped. */
  #stops: number[] = [];
  #colors: ChartColors;
  /** Id of the requested animation frame; 0 if there is none. */
  #request = 0;
  /** Time of the last drawing. */
  #drawnMs = 0;
  /** Latest time at which there was something new to draw. */
  #activeMs = -Infinity;

  /** @param threshold - Returns the probability from which a frame has voice. */
  constructor(canvas: HTMLCanvasElement, speaker: SvcSpeakerElement, threshold: () => number) {
    this.#canvas = canvas;
    this.#speaker = speaker;
    this.#level = new SpeechLevel(speaker);
    this.#threshold = threshold;
    this.#colors = readChartColors(document.body);
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => {
        this.#colors = readChartColors(document.body);
        this.#wake();
      });
    }
    speaker.addEventListener('statechange', () => this.#wake());
    this.#wake();
  }

  /** Adds a frame of the microphone. Frames that arrive together on a busy page are drawn side by side. */
  hear(probability: number): void {
    const afterLastMs = (this.#frames.at(-1)?.atMs ?? 0) + FRAME_MS;
    this.#frames.push({ atMs: Math.max(performance.now(), afterLastMs), probability });
    this.#wake();
  }

  /** Marks that the assistant was stopped. */
  markStop(): void {
    this.#stops.push(performance.now());
  }

  #wake(): void {
    this.#activeMs = performance.now();
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#step);
  }

  readonly #step = (nowMs: number): void => {
    this.#request = 0;
    if (this.#speaker.state === 'playing') this.#activeMs = nowMs;
    if (nowMs - this.#activeMs < WINDOW_MS) this.#request = requestAnimationFrame(this.#step);
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (nowMs - this.#drawnMs < (isReduced ? INTERVAL_MS.reduced : INTERVAL_MS.full)) return;
    this.#drawnMs = nowMs;
    const level = Math.min(1, Math.max(0, 1 - this.#level.read() / FLOOR_DB));
    this.#moments.push({ atMs: nowMs, level, isDucked: this.#speaker.ducked });
    const from = nowMs - WINDOW_MS;
    this.#moments = this.#moments.filter(({ atMs }) => atMs > from);
    this.#frames = this.#frames.filter(({ atMs }) => atMs > from);
    this.#stops = this.#stops.filter((atMs) => atMs > from);
    this.#draw(nowMs);
  };

  #draw(nowMs: number): void {
    const canvas = this.#canvas;
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    const context = canvas.getContext('2d')!;
    const colors = this.#colors;
    const scale = canvas.width / WINDOW_MS;
    const place: Place = {
      context,
      colors,
      middle: canvas.height / 2,
      x: (atMs) => canvas.width - (nowMs - atMs) * scale,
    };
    this.#drawAssistant(place);
    this.#drawMicrophone(place);
    context.fillStyle = colors.ink;
    context.fillRect(0, place.middle, canvas.width, devicePixelRatio);
    context.fillStyle = colors.overprint;
    for (const atMs of this.#stops) context.fillRect(place.x(atMs), 0, 2 * devicePixelRatio, canvas.height);
  }

  #drawAssistant({ context, colors, middle, x }: Place): void {
    this.#moments.forEach(({ atMs, level, isDucked }, index) => {
      const left = x(this.#moments[index - 1]?.atMs ?? atMs);
      const width = x(atMs) - left + 1;
      context.fillStyle = colors.depths[3]!;
      if (isDucked) context.fillRect(left, 0, width, middle);
      context.fillStyle = isDucked ? colors.inkSoft : colors.ink;
      context.fillRect(left, middle - level * middle, width, level * middle);
    });
  }

  #drawMicrophone({ context, colors, middle, x }: Place): void {
    const threshold = this.#threshold();
    for (const { atMs, probability } of this.#frames) {
      const left = x(atMs - FRAME_MS);
      context.fillStyle = probability >= threshold ? colors.overprint : colors.depths[0]!;
      context.fillRect(left, middle, x(atMs) - left, probability * middle);
    }
    context.fillStyle = colors.line;
    context.fillRect(0, middle + threshold * middle, context.canvas.width, devicePixelRatio);
  }
}

/** Where to draw: the sides meet at `middle`, a moment is at `x`, in pixels of the canvas. */
interface Place {
  readonly context: CanvasRenderingContext2D;
  readonly colors: ChartColors;
  readonly middle: number;
  readonly x: (atMs: number) => number;
}
