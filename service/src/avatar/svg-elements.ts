import { AvatarError } from './avatar-error.js';

/** An element of a drawing, without its children. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The parent element; `null` for the root. */
  readonly parent: SvgElement | null;
}

/** Maximum number of elements: a few thousand are slow to redraw for every frame of a moving mouth. */
const ELEMENTS_MAX = 5000;

/** Maximum depth of nested elements. */
const DEPTH_MAX = 64;

// White space is that of XML: `\s` matches more, which XML parsers reject between attributes. Names are cut off beyond
// the length of any known name, so that a message can repeat them.
const START = /<([A-Za-z][\w:.-]{0,63})/y;
const ATTRIBUTE = /[ \t\r\n]+([\w:.-]{1,64})[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;
const START_END = /[ \t\r\n]*(\/?)>/y;
const END = /<\/([A-Za-z][\w:.-]{0,63})[ \t\r\n]*>/y;
const TEXT = /[^<]+/y;

/** Start of an entity other than the five that every parser knows without a declaration. */
const OTHER_ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)/;

/** Matches a sticky pattern at the current position and moves past the match. */
type Take = (pattern: RegExp) => RegExpExecArray | null;

/**
 * Reads the elements of a drawing, in document order. Accepts a subset of XML that every parser reads the same way, and
 * refuses the rest: comments, declarations, sections, entities. Time and memory are linear in the length of the text.
 *
 * @param svg - Characters that XML allows, as `readText` returns them.
 * @throws {AvatarError} If it is not well-formed, is outside the subset, or has text anywhere but in `title` and
 *   `desc`.
 */
export function readSvgElements(svg: string): SvgElement[] {
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  let at = 0;
  const take: Take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(svg);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < svg.length) {
    const name = take(START)?.[1];
    if (name !== undefined) {
      if (elements.length && !open.length) throw new AvatarError(`svg: <${name}> comes after the end of the drawing`);
      const element = { name, attributes: readAttributes(name, take), parent: open.at(-1) ?? null };
      const end = take(START_END);
      if (!end) throw new AvatarError(describeUnread(svg, at));
      elements.push(element);
      if (!end[1]) open.push(element);
      if (elements.length > ELEMENTS_MAX) throw new AvatarError(`svg: more than ${ELEMENTS_MAX} elements`);
      if (open.length > DEPTH_MAX) throw new AvatarError(`svg: more than ${DEPTH_MAX} elements within each other`);
      continue;
    }
    const ended = take(END)?.[1];
    if (ended !== undefined) {
      const started = open.pop()?.name;
      if (started === undefined) throw new AvatarError(`svg: </${ended}> has no start tag`);
      if (started !== ended) throw new AvatarError(`svg: </${ended}> comes before the end tag of <${started}>`);
      continue;
    }
    const text = take(TEXT)?.[0];
    if (text === undefined) throw new AvatarError(describeUnread(svg, at));
    checkCharacters(text, open.at(-1)?.name);
  }
  if (open.length) throw new AvatarError(`svg: <${open.at(-1)!.name}> is not ended`);
  return elements;
}

function readAttributes(name: string, take: Take): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let found = take(ATTRIBUTE); found; found = take(ATTRIBUTE)) {
    const [, attribute, double, single] = found;
    if (attributes.has(attribute!)) throw new AvatarError(`svg: <${name}> has ${attribute} twice`);
    attributes.set(attribute!, double ?? single ?? '');
  }
  return attributes;
}

function checkCharacters(text: string, inside: string | undefined): void {
  if (!/[^ \t\r\n]/.test(text)) return;
  if (inside !== 'title' && inside !== 'desc') {
    throw new AvatarError('svg: text is allowed in <title> and <desc> only; turn letters into paths');
  }
  if (OTHER_ENTITY.test(text)) throw new AvatarError(`svg: an entity in <${inside}>; only the five of XML are allowed`);
  if (text.includes(']]>')) throw new AvatarError(`svg: ]]> in <${inside}>; XML wants ]]&gt; there`);
}

function describeUnread(svg: string, at: number): string {
  if (svg.startsWith('<!', at) || svg.startsWith('<?', at)) {
    return `svg: comments, declarations and sections are not allowed (character ${at}); a tool such as svgo takes them out`;
  }
  return `svg: not well-formed at character ${at}`;
}
