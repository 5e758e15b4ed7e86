// Only the main thread measures. Declared here, because the folder is compiled without what only pages have.
declare const performance: {
  now(): number;
  clearMeasures?(name: string): void;
  measure?(name: string, times: { start: number; end: number }): void;
};

/**
 * Adds a step of the start of speech to the performance timeline of the page, as the measure `svc-speaker STEP`. The
 * inspector and the browser's performance tool show it. Replaces the previous measure of the same step, so that a page
 * that is open for long does not collect them.
 *
 * Main thread. Times are those of `performance.now()`, in ms.
 */
export function measureStep(
  step: 'context' | 'worker' | 'worklet' | 'session' | 'socket',
  start: number,
  end = performance.now(),
): void {
  const name = `svc-speaker ${step}`;
  // jsdom has no measures.
  performance.clearMeasures?.(name);
  performance.measure?.(name, { start, end });
}
