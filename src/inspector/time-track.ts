import type { Picture } from './picture.js';

/** Seconds of the recording's clock; those of the cursor before all others. */
export function drawTime(picture: Picture): void {
  const { context, width, fromSeconds, step } = picture;
  const { view, cursorSeconds, colors } = picture.data;
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  const cursorX = cursorSeconds === null ? Number.NEGATIVE_INFINITY : picture.x(cursorSeconds);
  context.textAlign = 'center';
  context.fillStyle = colors.muted;
  for (let at = Math.ceil(fromSeconds / step) * step; at <= view.toSeconds; at += step) {
    const x = picture.x(at);
    if (at < 0 || x < 14 || x > width - 18 || Math.abs(x - cursorX) < 48) continue;
    context.fillText(`${at.toFixed(digits)} s`, x, 13);
  }
  if (cursorSeconds !== null) {
    context.fillStyle = colors.text;
    context.font = `600 ${context.font}`;
    context.fillText(`${cursorSeconds.toFixed(2)} s`, Math.min(width - 24, Math.max(24, cursorX)), 13);
  }
  context.textAlign = 'start';
}
