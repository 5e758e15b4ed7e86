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

/** The only way out of a drawing that its attributes have: an address, or a backslash that hides one. */
const leadsOutside = /\\|url\((?!#avatar-)|image|src\(|cross-fade/i;

/** What is drawn through another part of the drawing; the limits are those of `svc-service`. */
const MASKED = ':is([mask], [clip-path])';

/** Where to draw costs far more than there is to read: what each is, and how often it may be. */
const costly: readonly (readonly [selector: string, most: number])[] = [
  ['*', 5000],
  [MASKED, 32],
  // Masks of masks: each doubles what there is to draw.
  [`:is(mask, clipPath)${MASKED}, :is(mask, clipPath) ${MASKED}`, 0],
  [Array.from({ length: 5 }, () => MASKED).join(' '), 0],
  [':is(mask, clipPath) *', 100],
  ['[stroke-dasharray]', 16],
  // From there, all that is in it would have dashes.
  [':is(svg, g, defs, mask, clipPath)[stroke-dasharray], :is(mask, clipPath) [stroke-dasharray]', 0],
];

/**
 * Parses a drawing and keeps of it what draws. `svc-service` takes no avatar that does more; but the page may be used
 * with another service, and what is put into a page is looked at there.
 *
 * @throws {Error} If it is not SVG, or would take long to draw.
 */
export function readDrawing(svg: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const root = parsed.documentElement;
  if (!(root instanceof SVGSVGElement)) throw new Error('The avatar has no drawing.');
  if (costly.some(([selector, most]) => parsed.querySelectorAll(selector).length > most)) {
    throw new Error('The drawing of the avatar would take too long to draw.');
  }
  keepWhatDraws(root);
  return document.importNode(root, true);
}

function keepWhatDraws(element: Element): void {
  for (const { name, value } of Array.from(element.attributes)) {
    // Ids of the drawing stay apart from those of the page.
    const known = attributes.has(name) && (name !== 'id' || value.startsWith('avatar-'));
    if (!known || leadsOutside.test(value)) element.removeAttribute(name);
  }
  for (const child of Array.from(element.childNodes)) {
    if (child instanceof Element) {
      if (child.namespaceURI === SVG && elements.has(child.localName)) keepWhatDraws(child);
      else child.remove();
    } else if (child.nodeType !== Node.TEXT_NODE) child.remove();
  }
}
