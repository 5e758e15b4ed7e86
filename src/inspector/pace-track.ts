import { paceAt } from './pace.js';
import type { Picture } from './picture.js';

/** How fast speech leaves, from half to twice: above the middle it is faster than it was spoken. */
export function drawPace(picture: Picture): void {
  const { context, width, height, first, last } = picture;
  const { readings, colors } = picture.data;
  const middle = Math.round(height / 2);
  const y = (pace: number): number => middle - Math.max(-1, Math.min(1, Math.log2(pace))) * (middle - 4);
  context.fillStyle = colors.line;
  context.fillRect(0, middle, width, 1);
  let open = false;
  context.beginPath();
  for (let i = first; i <= last; i++) {
    const pace = paceAt(readings, i);
    const x = picture.x(readings[i]!.atSeconds);
    if (pace === null) open = false;
    else if (open) context.lineTo(x, y(pace));
    else {
      context.moveTo(x, y(pace));
      open = true;
    }
  }
  picture.stroke(colors.pace, 1.75, []);
  picture.label('1×', middle - 4);
}
