const SVG = 'http://www.w3.org/2000/svg';

const elements = new Set(
  (
    'svg g title desc defs path rect circle ellipse line polyline polygon ' +
    'clipPath mask linearGradient radialGradient stop'
  ).split(' '),
);

const attributes = new Set(
  (
    'id viewBox d cx cy r rx ry x y x1 y1 x2 y2 fx fy width height points transform fill fill-opacity fill-rule ' +
    'clip-path clip-rule mask opacity offset stop-color stop-opacity gradientUnits gradientTransform stroke ' +
    'stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset'
  ).split(' '),
);

/** Attribute values that could load a URL, plainly or behind a backslash. */
const externalReference = /\\|url\((?!#avatar-)|image|src\(|cross-fade/i;

/** Elements drawn through a mask or clip path. */
const MASKED = ':is([mask], [clip-path])';

/** Maximum counts of elements that are slow to draw; the same limits as in `svc-service`. */
const limits: readonly (readonly [selector: string, max: number])[] = [
  ['*', 5000],
  [MASKED, 32],
  // Masks of masks: each level doubles the work.
  [`:is(mask, clipPath)${MASKED}, :is(mask, clipPath) ${MASKED}`, 0],
  [Array.from({ length: 5 }, () => MASKED).join(' '), 0],
  [':is(mask, clipPath) *', 100],
  ['[stroke-dasharray]', 16],
  // Dashes that a whole group would inherit.
  [':is(svg, g, defs, mask, clipPath)[stroke-dasharray], :is(mask, clipPath) [stroke-dasharray]', 0],
];

/**
 * Parses a drawing and removes every element and attribute that does more than draw. `svc-service` accepts no such avatar,
 * but the page may be used with another service.
 *
 * @throws {Error} If `svg` is not SVG, or would take long to draw.
 */
export function readDrawing(svg: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const root = parsed.documentElement;
  if (!(root instanceof SVGSVGElement)) throw new Error('The avatar has no drawing.');
  if (limits.some(([selector, max]) => parsed.querySelectorAll(selector).length > max)) {
    throw new Error('The drawing of the avatar would take too long to draw.');
  }
  sanitize(root);
  return document.importNode(root, true);
}

function sanitize(element: Element): void {
  for (const { name, value } of Array.from(element.attributes)) {
    // Ids must not collide with those of the page.
    const isAllowed = attributes.has(name) && (name !== 'id' || value.startsWith('avatar-'));
    if (!isAllowed || externalReference.test(value)) element.removeAttribute(name);
  }
  for (const child of Array.from(element.childNodes)) {
    if (child instanceof Element) {
      if (child.namespaceURI === SVG && elements.has(child.localName)) sanitize(child);
      else child.remove();
    } else if (child.nodeType !== Node.TEXT_NODE) child.remove();
  }
}
