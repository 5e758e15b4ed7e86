import type { SvcSpeakerElement } from 'svc-speaker';
import { SpeakerRecorder } from 'svc-speaker/inspector.js';
import { DepthChart } from './depth-chart.js';

/** Time between two pictures for those who asked for less motion, in milliseconds: it then moves on in steps. */
const DRAW_CALMLY_MS = 500;

/** Time between two looks at the figures, in milliseconds. */
const FIGURES_MS = 50;

/**
 * Draws what the speaker's recorder writes down, for as long as something moves: an idle page costs nothing.
 *
 * @param onFigures - Called to show figures from the same moment.
 * @returns Makes the picture run, when something has changed that the element has no event for.
 */
export function runLivePicture(speaker: SvcSpeakerElement, host: HTMLElement, onFigures: () => void): () => void {
  const recorder = SpeakerRecorder.of(speaker);
  const chart = new DepthChart(host);
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let frame = 0;
  let drawnMs = 0;
  let figuresMs = 0;

  const draw = (nowMs: number) => {
    frame = 0;
    if (!calm.matches || nowMs - drawnMs >= DRAW_CALMLY_MS || !recorder.running) {
      drawnMs = nowMs;
      chart.draw(recorder.readings, recorder.nowSeconds);
    }
    if (nowMs - figuresMs >= FIGURES_MS || !recorder.running) {
      figuresMs = nowMs;
      onFigures();
    }
    if (recorder.running) frame = requestAnimationFrame(draw);
  };
  recorder.subscribe(() => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  });
  return recorder.wake;
}
