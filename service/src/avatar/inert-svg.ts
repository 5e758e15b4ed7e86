import { AvatarError } from './avatar-error.js';
import { checkCost } from './svg-cost.js';
import { readSvgElements } from './svg-elements.js';

/** Parts of a drawing that a bundle can refer to. */
export interface InertSvg {
  /** Path data by id, for every path with an id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Custom properties that the drawing uses as colours, such as `--avatar-fur`. */
  readonly colors: ReadonlySet<string>;
}

/** Allowed elements, which only draw. No `use`, `image`, `style`, `a`, `animate`, `foreignObject`, `script` … */
const ELEMENTS = new Set(
  (
    'svg g title desc defs path rect circle ellipse line polyline polygon ' +
    'clipPath mask linearGradient radialGradient stop'
  ).split(' '),
);

/** Allowed attributes, which only set geometry and paint. No `style`, no `class`, no `href`, no event handler. */
const ATTRIBUTES = new Set(
  (
    'id viewBox width height preserveAspectRatio d cx cy r rx ry x y x1 y1 x2 y2 fx fy points transform ' +
    'fill fill-opacity fill-rule clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits opacity ' +
    'stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray ' +
    'stroke-dashoffset offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod paint-order ' +
    'vector-effect'
  ).split(' '),
);

const FUNCTIONS = new Set('url var rgb hsl matrix translate scale rotate skewX skewY'.split(' '));

/** Allowed characters: no quotes, no backslash (escapes letters in CSS), no colon or slash (part of every address). */
const HARMLESS = /^[A-Za-z0-9 \t\r\n.,#%()+-]*$/;

/** A word or any other character except white space: enough to find the name before each bracket. */
const TOKEN = /[A-Za-z-]+|[^A-Za-z\s-]/g;

/** Attributes that contain a shape, of any length; the others have at most {@link VALUE_MAX} characters. */
const SHAPES = new Set(['d', 'points']);

const VALUE_MAX = 4096;

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Pattern of an id. The prefix avoids collisions with the ids of a page that contains the drawing. */
const ID = /^avatar-[a-z0-9-]{1,64}$/;

const COLOR = /var\(\s*(--[A-Za-z0-9-]+)\s*\)/g;

/**
 * Makes sure that a drawing only draws: elements, attributes and values that are not known to be harmless are refused.
 * An accepted drawing runs no script, handles no event and fetches nothing, both as an image and inline in a page.
 *
 * @throws {AvatarError} If it contains anything else; the message names it.
 */
export function readInertSvg(svg: string): InertSvg {
  const elements = readSvgElements(svg);
  const root = elements[0];
  if (root?.name !== 'svg' || root.attributes.get('xmlns') !== NAMESPACE) {
    throw new AvatarError(`svg: must begin with <svg xmlns="${NAMESPACE}">`);
  }
  if (!root.attributes.has('viewBox')) throw new AvatarError('svg: needs a viewBox, so that it can have any size');
  checkCost(elements);
  const ids = new Set<string>();
  const paths = new Map<string, string>();
  const colors = new Set<string>();
  for (const { name, attributes } of elements) {
    if (!ELEMENTS.has(name)) throw new AvatarError(`svg: <${name}> is not allowed: only what draws is`);
    for (const [attribute, value] of attributes) {
      if (attribute === 'xmlns' && name === 'svg' && value === NAMESPACE) continue;
      if (!ATTRIBUTES.has(attribute)) {
        throw new AvatarError(`svg: ${attribute} of <${name}> is not allowed: scripts, styles and links are left out`);
      }
      if (value.length > VALUE_MAX && !SHAPES.has(attribute)) {
        throw new AvatarError(`svg: ${attribute} of <${name}> has more than ${VALUE_MAX} characters`);
      }
      if (!isHarmless(value)) {
        throw new AvatarError(`svg: what ${attribute} of <${name}> says is not allowed: nothing may lead outside`);
      }
      for (const [, color] of value.matchAll(COLOR)) colors.add(color!);
    }
    const id = attributes.get('id');
    if (id === undefined) continue;
    if (!ID.test(id))
      throw new AvatarError(`svg: ids must begin with avatar-, in small letters, not ${id.slice(0, 64)}`);
    if (ids.has(id)) throw new AvatarError(`svg: the id ${id} is there twice`);
    ids.add(id);
    if (name === 'path') paths.set(id, attributes.get('d') ?? '');
  }
  return { paths, colors };
}

function isHarmless(value: string): boolean {
  if (!HARMLESS.test(value)) return false;
  // Skip values without brackets: that is most of them, and all long path data.
  if (value.includes('(')) {
    let before = '';
    for (const [token] of value.matchAll(TOKEN)) {
      if (token === '(' && !FUNCTIONS.has(before)) return false;
      before = token;
    }
  }
  return !value.includes('url') || /^url\(#avatar-[a-z0-9-]+\)$/.test(value);
}
