import { AvatarError } from './avatar-error.js';
import { asRecord, checkMembers, readInteger, readNumber, readText } from './bundle-fields.js';
import { readInertSvg, type InertSvg } from './inert-svg.js';
import { pathOutline } from './path-data.js';

/** Shapes of the drawing's paths, by id: path data with the same commands as in the drawing. */
export type PathShapes = Readonly<Record<string, string>>;

/** Custom properties, such as `--avatar-fur`, and their colours, `#rrggbb`. */
export type AvatarColors = Readonly<Record<string, string>>;

/** Mapping from the level of speech to the opening of the mouth. */
export interface AvatarMouth {
  /** Level up to which the mouth is closed, in dBFS (RMS). */
  readonly silentDb: number;
  /** Level from which it is fully open, in dBFS (RMS); above `silentDb`. */
  readonly loudDb: number;
  /** Time to get two thirds of the way to a wider opening, in ms. */
  readonly attackMs: number;
  /** The same to a narrower opening. */
  readonly releaseMs: number;
  /** Shapes at two or more openings, from 0 to 1, ascending. In between, the numbers of path data are interpolated. */
  readonly shapes: readonly { readonly open: number; readonly paths: PathShapes }[];
  /**
   * Shapes of the half-open mouth: with round lips, as in "who"; with spread lips, as in "he"; with the teeth together,
   * as at the start of "see". Each has some of the paths of `shapes`. The player derives the weight of each form from
   * the speech.
   */
  readonly forms?: { readonly round?: PathShapes; readonly spread?: PathShapes; readonly teeth?: PathShapes };
}

/** Blinking of the eyes. */
export interface AvatarBlink {
  /** Time between two blinks, in seconds: minimum and maximum. */
  readonly everySeconds: readonly [least: number, most: number];
  /** Time to close, and time to open again, in ms. */
  readonly closeMs: number;
  readonly open: PathShapes;
  readonly closed: PathShapes;
}

/** Everything needed to show an avatar: a drawing that can be recoloured, and its movements. */
export interface AvatarBundle {
  readonly version: 1;
  readonly avatar: { readonly id: string; readonly name: string };
  /** Number that its author increases with each change. */
  readonly revision: number;
  /** An SVG image that only draws; see `readInertSvg`. */
  readonly svg: string;
  /** Colours of the drawing, on light and on dark pages. */
  readonly colors: { readonly light: AvatarColors; readonly dark: AvatarColors };
  readonly mouth: AvatarMouth;
  readonly blink?: AvatarBlink;
}

/** Maximum size of a bundle as JSON, in bytes. */
export const BUNDLE_MAX_BYTES = 2 * 1024 * 1024;

/** Pattern of an avatar's id. */
export const AVATAR_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const COLOR_NAME = /^--avatar-[a-z0-9-]{1,64}$/;
const COLOR = /^#[0-9a-f]{6}$/i;

/**
 * Reads an untrusted bundle, format version 1.
 *
 * @param id - Id of the avatar. It replaces the id in the bundle.
 * @throws {AvatarError} If it is not a bundle, is too large, or its drawing contains more than drawing instructions.
 */
export function readAvatarBundle(value: unknown, id: string): AvatarBundle {
  const bundle = asRecord('The bundle', value);
  checkMembers('The bundle', bundle, ['version', 'avatar', 'svg', 'colors', 'mouth'], ['revision', 'blink']);
  if (bundle.version !== 1) throw new AvatarError(`version: must be 1, not ${JSON.stringify(bundle.version)}`);
  const avatar = asRecord('avatar', bundle.avatar);
  checkMembers('avatar', avatar, ['name'], ['id']);
  const svg = readText('svg', bundle.svg, BUNDLE_MAX_BYTES);
  const drawing = readInertSvg(svg);
  const read: AvatarBundle = {
    version: 1,
    avatar: { id, name: readText('avatar.name', avatar.name, 128) },
    revision: readInteger('revision', bundle.revision ?? 1, 1, Number.MAX_SAFE_INTEGER),
    svg,
    colors: readColors(bundle.colors, drawing),
    mouth: readMouth(bundle.mouth, drawing),
    ...(bundle.blink === undefined ? {} : { blink: readBlink(bundle.blink, drawing) }),
  };
  const bytes = Buffer.byteLength(JSON.stringify(read));
  if (bytes > BUNDLE_MAX_BYTES) {
    throw new AvatarError(`The bundle has ${bytes} bytes; ${BUNDLE_MAX_BYTES} (2 MiB) is the most.`);
  }
  return read;
}

function readColors(value: unknown, drawing: InertSvg): AvatarBundle['colors'] {
  const schemes = asRecord('colors', value);
  checkMembers('colors', schemes, ['light', 'dark']);
  const read = (scheme: string): AvatarColors => {
    const where = `colors.${scheme}`;
    const colors = asRecord(where, schemes[scheme]);
    for (const [name, color] of Object.entries(colors)) {
      if (!COLOR_NAME.test(name)) throw new AvatarError(`${where}: names must begin with --avatar-, not ${name}`);
      if (typeof color !== 'string' || !COLOR.test(color)) throw new AvatarError(`${where}: ${name} must be #rrggbb`);
    }
    for (const name of drawing.colors) {
      if (!Object.hasOwn(colors, name)) throw new AvatarError(`${where}: ${name} is missing; the drawing uses it`);
    }
    return colors as AvatarColors;
  };
  return { light: read('light'), dark: read('dark') };
}

function readMouth(value: unknown, drawing: InertSvg): AvatarMouth {
  const mouth = asRecord('mouth', value);
  checkMembers('mouth', mouth, ['silentDb', 'loudDb', 'attackMs', 'releaseMs', 'shapes'], ['forms']);
  const silentDb = readNumber('mouth.silentDb', mouth.silentDb, -96, -6);
  if (!Array.isArray(mouth.shapes) || mouth.shapes.length < 2 || mouth.shapes.length > 16) {
    throw new AvatarError('mouth.shapes: must be a list of 2 to 16 shapes');
  }
  const shapes = mouth.shapes.map((entry, index) => {
    const where = `mouth.shapes[${index}]`;
    const shape = asRecord(where, entry);
    checkMembers(where, shape, ['open', 'paths']);
    return { open: readNumber(`${where}.open`, shape.open, 0, 1), paths: readPaths(where, shape.paths, drawing) };
  });
  if (shapes[0]!.open !== 0 || shapes.at(-1)!.open !== 1) {
    throw new AvatarError('mouth.shapes: the first must have open 0, the last open 1');
  }
  for (const [index, { open, paths }] of shapes.entries()) {
    if (index > 0 && open <= shapes[index - 1]!.open) throw new AvatarError('mouth.shapes: open must rise');
    checkSamePaths(`mouth.shapes[${index}]`, paths, shapes[0]!.paths);
  }
  return {
    silentDb,
    loudDb: readNumber('mouth.loudDb', mouth.loudDb, silentDb + 1, 0),
    attackMs: readNumber('mouth.attackMs', mouth.attackMs, 0, 1000),
    releaseMs: readNumber('mouth.releaseMs', mouth.releaseMs, 0, 1000),
    shapes,
    ...(mouth.forms === undefined ? {} : { forms: readForms(mouth.forms, shapes[0]!.paths, drawing) }),
  };
}

function readForms(value: unknown, shape: PathShapes, drawing: InertSvg): NonNullable<AvatarMouth['forms']> {
  const forms = asRecord('mouth.forms', value);
  checkMembers('mouth.forms', forms, [], ['round', 'spread', 'teeth']);
  for (const [form, entry] of Object.entries(forms)) {
    const where = `mouth.forms.${form}`;
    for (const id of Object.keys(readPaths(where, entry, drawing))) {
      if (!Object.hasOwn(shape, id)) throw new AvatarError(`${where}: ${id} does not move with mouth.shapes`);
    }
  }
  return forms;
}

function readBlink(value: unknown, drawing: InertSvg): AvatarBlink {
  const blink = asRecord('blink', value);
  checkMembers('blink', blink, ['everySeconds', 'closeMs', 'open', 'closed']);
  const [least, most, ...rest] = Array.isArray(blink.everySeconds) ? (blink.everySeconds as unknown[]) : [];
  if (rest.length) throw new AvatarError('blink.everySeconds: must be two numbers, the minimum and the maximum');
  const shortest = readNumber('blink.everySeconds[0]', least, 0.5, 60);
  const open = readPaths('blink.open', blink.open, drawing);
  const closed = readPaths('blink.closed', blink.closed, drawing);
  checkSamePaths('blink.closed', closed, open);
  return {
    everySeconds: [shortest, readNumber('blink.everySeconds[1]', most, shortest, 60)],
    closeMs: readNumber('blink.closeMs', blink.closeMs, 20, 1000),
    open,
    closed,
  };
}

function readPaths(where: string, value: unknown, drawing: InertSvg): PathShapes {
  const paths = asRecord(where, value);
  for (const [id, data] of Object.entries(paths)) {
    const drawn = drawing.paths.get(id);
    if (drawn === undefined) throw new AvatarError(`${where}: there is no <path id="${id}"> in the drawing`);
    const outline = typeof data === 'string' ? pathOutline(data) : null;
    if (outline === null) throw new AvatarError(`${where}: ${id} is not path data without arcs`);
    if (outline !== pathOutline(drawn)) {
      throw new AvatarError(`${where}: ${id} has other commands than in the drawing, and cannot be blended with it`);
    }
  }
  return paths as PathShapes;
}

function checkSamePaths(where: string, paths: PathShapes, others: PathShapes): void {
  const names = (shapes: PathShapes): string => Object.keys(shapes).toSorted().join(', ');
  if (names(paths) === names(others)) return;
  throw new AvatarError(`${where}: must have the same paths as the first shape: ${names(others)}`);
}
