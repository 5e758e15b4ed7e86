import { AvatarError } from './avatar-error.js';
import type { SvgElement } from './svg-elements.js';

/** Elements that are drawn through a mask or a clip path at most. */
const MASKED_MAX = 32;

/** Such elements within each other at most: each is a picture of its own until it is done. */
const DEPTH_MAX = 4;

/** Elements within masks and clip paths at most, all of them together: they are drawn again for each that uses them. */
const WITHIN_MAX = 100;

/** Length of an attribute within them at most, in characters. */
const VALUE_MAX = 4096;

/** Elements with dashes at most: a few characters can make a million of them. */
const DASHED_MAX = 16;

/** Elements that hand what they say about dashes down to all that is in them. */
const CONTAINERS = new Set('svg g defs mask clipPath'.split(' '));

/**
 * Makes sure that a drawing costs about as much to draw as it is long: that nothing short is drawn over and over. A mask
 * within a mask doubles, so that some dozens could keep a page from ever being shown; a mask that many use is drawn as
 * many times; dashes can be as many as a browser is willing to count.
 *
 * @throws {AvatarError} If it may cost more; the message says what is too much.
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

/** What an element is in, from the inside out. */
function ancestors({ parent }: SvgElement): SvgElement[] {
  const around: SvgElement[] = [];
  for (let element = parent; element; element = element.parent) around.push(element);
  return around;
}
