import type { Picture } from './picture.js';

/** What came, pixel by pixel; the height grows with the square root, so that a frame and a reply can both be seen. */
export function drawArrivals(picture: Picture): void {
  const { context, first, last } = picture;
  const { readings, view, colors } = picture.data;
  const bars: [number, number][] = [];
  let most = 0.1;
  for (let i = first; i <= last; i++) {
    const { arrivedSeconds, atSeconds } = readings[i]!;
    if (arrivedSeconds === 0) continue;
    const x = Math.floor(picture.x(atSeconds));
    const before = bars.at(-1);
    if (before?.[0] === x) before[1] += arrivedSeconds;
    else bars.push([x, arrivedSeconds]);
    most = Math.max(most, bars.at(-1)![1]);
  }
  const base = picture.height - 1;
  context.fillStyle = colors.line;
  context.fillRect(0, base, picture.width, 1);
  context.fillStyle = colors.arrivals;
  const width = Math.max(1.5, Math.min(3, picture.width / view.spanSeconds / 100));
  for (const [x, seconds] of bars) {
    const height = Math.max(2, Math.sqrt(seconds / most) * (base - 4));
    context.fillRect(x - width / 2, base - height, width, height);
  }
}
