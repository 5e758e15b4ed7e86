import { AvatarError } from './avatar-error.js';

/** An element of a drawing, without what is in it. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Elements of a drawing at most: some thousands are a lot to redraw for every picture of a mouth. */
const ELEMENTS_MAX = 5000;

/** Elements within each other at most. */
const DEPTH_MAX = 64;

/** A start tag, an end tag, or the text up to the next one. */
const PIECE =
  /<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|<\/([A-Za-z][\w:.-]*)\s*>|([^<]+)/y;

const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** Text as every reader of XML reads it: no entity but the five that need no declaration. */
const TEXT = /^(?:[^&]|&(?:amp|lt|gt|quot|apos);)*$/;

/**
 * Reads the elements of a drawing, in order. It reads a part of XML that has one meaning to every parser, and refuses
 * the rest: comments, declarations, sections, entities. Time and memory grow with the text's length alone.
 *
 * @throws {AvatarError} If it is not well-formed, is more than that part, or has text anywhere but in `title` and `desc`.
 */
export function readSvgElements(svg: string): SvgElement[] {
  const elements: SvgElement[] = [];
  const open: string[] = [];
  let closed = false;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < svg.length) {
    const at = PIECE.lastIndex;
    const piece = PIECE.exec(svg);
    if (!piece) throw new AvatarError(describeUnread(svg, at));
    const [, name, attributes = '', selfClosing, end, text] = piece;
    if (name !== undefined) {
      if (closed) throw new AvatarError(`svg: <${name}> stands after the end of the drawing`);
      elements.push({ name, attributes: readAttributes(name, attributes) });
      if (!selfClosing) open.push(name);
      if (elements.length > ELEMENTS_MAX) throw new AvatarError(`svg: more than ${ELEMENTS_MAX} elements`);
      if (open.length > DEPTH_MAX) throw new AvatarError(`svg: more than ${DEPTH_MAX} elements within each other`);
      closed = open.length === 0;
    } else if (end !== undefined) {
      const started = open.pop();
      if (started !== end) throw new AvatarError(`svg: </${end}> ends ${started ? `<${started}>` : 'nothing'}`);
      closed = open.length === 0;
    } else if (text!.trim() !== '') {
      const inside = open.at(-1) ?? '';
      if (inside !== 'title' && inside !== 'desc') {
        throw new AvatarError('svg: text is allowed in <title> and <desc> only; turn letters into paths');
      }
      if (!TEXT.test(text!)) throw new AvatarError(`svg: an entity in <${inside}>; only the five of XML are allowed`);
    }
  }
  if (open.length) throw new AvatarError(`svg: <${open.at(-1)}> is not ended`);
  return elements;
}

function readAttributes(name: string, text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, attribute, double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(attribute!)) throw new AvatarError(`svg: <${name}> has ${attribute} twice`);
    attributes.set(attribute!, double ?? single ?? '');
  }
  return attributes;
}

function describeUnread(svg: string, at: number): string {
  if (svg.startsWith('<!', at) || svg.startsWith('<?', at)) {
    return `svg: comments, declarations and sections are not allowed (character ${at}); a tool such as svgo takes them out`;
  }
  return `svg: not well-formed at character ${at}`;
}
