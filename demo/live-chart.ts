import type { SvcSpeakerElement } from 'svc-speaker';
import { SpeakerRecorder } from 'svc-speaker/inspector/recorder.js';
import { DepthChart } from './depth-chart.js';

/** Interval between two drawings with `prefers-reduced-motion`, in milliseconds. */
const REDUCED_MOTION_INTERVAL_MS = 500;

/** Interval between two updates of the figures, in milliseconds. */
const FIGURES_INTERVAL_MS = 50;

/**
 * Draws the readings of a speaker while its recorder runs. No animation frame is requested while the speaker is idle.
 *
 * @param updateFigures - Called while the recorder runs, at most every 50 ms, and when it stops.
 * @returns A function that starts the recorder. Call it after a change for which the element dispatches no event.
 */
export function runLiveChart(speaker: SvcSpeakerElement, host: HTMLElement, updateFigures: () => void): () => void {
  const recorder = SpeakerRecorder.of(speaker);
  const chart = new DepthChart(host);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let frame = 0;
  let drawnMs = 0;
  let figuresMs = 0;

  const draw = (nowMs: number) => {
    frame = 0;
    if (!reducedMotion.matches || nowMs - drawnMs >= REDUCED_MOTION_INTERVAL_MS || !recorder.running) {
      drawnMs = nowMs;
      chart.draw(recorder.readings, recorder.nowSeconds);
    }
    if (nowMs - figuresMs >= FIGURES_INTERVAL_MS || !recorder.running) {
      figuresMs = nowMs;
      updateFigures();
    }
    if (recorder.running) frame = requestAnimationFrame(draw);
  };
  recorder.subscribe(() => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  });
  return recorder.wake;
}
