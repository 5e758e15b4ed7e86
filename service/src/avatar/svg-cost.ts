import { AvatarError } from './avatar-error.js';
import type { SvgElement } from './svg-elements.js';

/** Maximum number of elements with a mask or clip path. */
const MASKED_MAX = 32;

/** Maximum nesting of such elements: each needs an offscreen image until it is drawn. */
const DEPTH_MAX = 4;

/** Maximum total of elements inside masks and clip paths: they are drawn again for each element that uses them. */
const WITHIN_MAX = 100;

/** Maximum length of an attribute inside masks and clip paths, in characters. */
const VALUE_MAX = 4096;

/** Maximum number of elements with dashes: a few characters can produce a million dashes. */
const DASHED_MAX = 16;

/** Elements whose dash attributes apply to all their descendants. */
const CONTAINERS = new Set('svg g defs mask clipPath'.split(' '));

/**
 * Makes sure that the cost of drawing grows with the length of a drawing. Nested masks double the cost at each level,
 * so a few dozen could keep a page from ever being painted. A mask with many uses is drawn as many times. The number of
 * dashes has no limit of its own.
 *
 * @throws {AvatarError} If drawing may cost more; the message names the limit.
 */
export function checkCost(elements: readonly SvgElement[]): void {
  let masked = 0;
  let within = 0;
  let dashed = 0;
  for (const element of elements) {
    const around = ancestors(element);
    const mask = around.find(isMask)?.name;
    if (mask) {
      if (++within > WITHIN_MAX) throw new AvatarError(`svg: more than ${WITHIN_MAX} elements in masks and clip paths`);
      for (const [attribute, value] of element.attributes) {
        if (value.length <= VALUE_MAX) continue;
        throw new AvatarError(`svg: ${attribute} has more than ${VALUE_MAX} characters in a <${mask}>`);
      }
    }
    if (isMasked(element)) {
      if (mask || isMask(element))
        throw new AvatarError('svg: mask and clip-path are not allowed in <mask>, <clipPath>');
      if (++masked > MASKED_MAX) throw new AvatarError(`svg: more than ${MASKED_MAX} elements with mask or clip-path`);
      if (around.filter(isMasked).length >= DEPTH_MAX) {
        throw new AvatarError(`svg: more than ${DEPTH_MAX} elements with mask or clip-path within each other`);
      }
    }
    if (element.attributes.has('stroke-dasharray')) {
      if (mask || CONTAINERS.has(element.name)) {
        throw new AvatarError('svg: stroke-dasharray is allowed on shapes only, and not in <mask>, <clipPath>');
      }
      if (++dashed > DASHED_MAX) throw new AvatarError(`svg: more than ${DASHED_MAX} elements with stroke-dasharray`);
    }
  }
}

function isMask({ name }: SvgElement): boolean {
  return name === 'mask' || name === 'clipPath';
}

function isMasked({ attributes }: SvgElement): boolean {
  return attributes.has('mask') || attributes.has('clip-path');
}

/** Returns the ancestors of an element, innermost first. */
function ancestors({ parent }: SvgElement): SvgElement[] {
  const around: SvgElement[] = [];
  for (let element = parent; element; element = element.parent) around.push(element);
  return around;
}
