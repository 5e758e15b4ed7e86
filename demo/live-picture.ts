import type { SvcSpeakerElement } from 'svc-speaker';
import { DepthChart, windowSeconds } from './depth-chart.js';
import { Recording } from './readings.js';

/** Time between two readings, in seconds. */
const READ_SECONDS = 0.05;

/** The same for those who asked for less motion: the picture then moves on in steps. */
const READ_CALMLY_SECONDS = 0.5;

/** How long the picture runs on after the last change, in seconds. */
const QUIET_SECONDS = 1.5;

/** Events after which there may be something to see. */
const wakeEvents = ['loadstart', 'play', 'playing', 'pause', 'waiting', 'progress', 'utterancestart', 'socketclose'];

/**
 * Reads the element and draws what it reads, for as long as something moves: an idle page costs nothing.
 *
 * @param onReading - Called after each reading, to show figures from the same moment.
 * @returns Makes the picture run, when something has changed that the element has no event for.
 */
export function runLivePicture(speaker: SvcSpeakerElement, host: HTMLElement, onReading: () => void): () => void {
  const recording = new Recording(windowSeconds);
  const chart = new DepthChart(host, recording.readings);
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let running = false;
  let lastFrameMs = 0;
  let lastReadSeconds = windowSeconds;
  let lastChangeSeconds = windowSeconds;

  const frame = (nowMs: number) => {
    // After a hitch, or in a tab that comes back, the picture goes on where it stood.
    recording.advance(Math.min((nowMs - lastFrameMs) / 1000, 1));
    lastFrameMs = nowMs;
    const due = recording.nowSeconds - lastReadSeconds >= (calm.matches ? READ_CALMLY_SECONDS : READ_SECONDS);
    if (due) {
      if (recording.read(speaker)) lastChangeSeconds = recording.nowSeconds;
      lastReadSeconds = recording.nowSeconds;
      onReading();
    }
    if (due || !calm.matches) chart.draw(recording.nowSeconds);
    running = recording.nowSeconds - lastChangeSeconds < QUIET_SECONDS;
    if (running) requestAnimationFrame(frame);
  };

  const wake = () => {
    lastChangeSeconds = recording.nowSeconds;
    if (running) return;
    running = true;
    lastFrameMs = performance.now();
    requestAnimationFrame(frame);
  };

  for (const event of wakeEvents) speaker.addEventListener(event, wake);
  recording.read(speaker);
  recording.advance(windowSeconds);
  recording.read(speaker);
  chart.draw(recording.nowSeconds);
  onReading();
  return wake;
}
