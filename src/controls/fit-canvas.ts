/**
 * Gives a canvas as many pixels as it has on the screen, now and after each change of its size, the zoom level or the
 * screen.
 *
 * @param view - Window of the canvas.
 * @param onFitted - Called after each change, and a first time before the next frame.
 * @returns Stops.
 */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  view: Window & typeof globalThis,
  onFitted: () => void,
): () => void {
  let resolution: MediaQueryList | undefined;
  const stop = (): void => resolution?.removeEventListener('change', fit);
  const fit = (): void => {
    const ratio = view.devicePixelRatio;
    stop();
    resolution = view.matchMedia(`(resolution: ${ratio}dppx)`);
    resolution.addEventListener('change', fit);
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    onFitted();
  };
  // Without its style sheet, for example while it moves between documents, the canvas would grow whenever its size is
  // read.
  canvas.style.contain = 'size';
  const observer = new view.ResizeObserver(fit);
  observer.observe(canvas);
  return () => {
    observer.disconnect();
    stop();
  };
}
