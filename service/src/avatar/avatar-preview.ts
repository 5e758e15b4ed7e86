import type { AvatarBundle } from './avatar-bundle.js';

/** A use of a colour in a drawing, such as `var(--avatar-fur)`. */
const COLOR_USE = /var\(\s*(--avatar-[a-z0-9-]+)\s*\)/g;

/**
 * Returns the drawing of a bundle with its colours filled in: an SVG image that needs no style sheet.
 *
 * @param json - A bundle as `Avatars.readBundle` returns it.
 */
export function drawAvatarPreview(json: string, scheme: 'light' | 'dark'): string {
  const { svg, colors } = JSON.parse(json) as AvatarBundle;
  return svg.replace(COLOR_USE, (use, name: string) => colors[scheme][name] ?? use);
}
