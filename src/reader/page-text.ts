import { documentOf, isShadowRoot, isText } from './node-kinds.js';
import { type Block, readableText } from './readable-text.js';

/** A place in a text: a block, and an offset in it. */
export interface Place {
  readonly block: number;
  readonly offset: number;
}

/**
 * A place in a page that can be stored as JSON. It is found again in a page that was loaded again, or edited, by the text
 * around it.
 */
export interface ReadingPosition {
  /** Text before the place, up to 48 characters. */
  readonly before: string;
  /** Text after the place, up to 48 characters. */
  readonly after: string;
  /** Characters of the whole text before the place. */
  readonly offset: number;
}

/** Number of characters of the text around a place that are remembered. */
const AROUND = 48;
/** Shortest text around a place that is looked for. */
const AROUND_MIN = 8;

/** The readable text of a part of a page, and where it is there. Main thread. */
export class PageText {
  readonly blocks: readonly Block[];
  /** Those that contain some of the text, or may. */
  readonly shadowRoots: ShadowRoot[] = [];

  constructor(target: Element | Range) {
    this.blocks = readableText(target, this.shadowRoots);
  }

  /** Returns the place of a character of the page, or of the next one that is read; null after the last one. */
  placeOf(node: Node, offset: number): Place | null {
    const point = documentOf(node).createRange();
    point.setStart(node, offset);
    for (const [block, { pieces }] of this.blocks.entries()) {
      for (const piece of pieces) {
        if (piece.node === node && isText(node)) {
          if (offset < piece.offset + piece.length) {
            return { block, offset: piece.at + Math.max(0, offset - piece.offset) };
          }
        } else if (isBehind(piece.node, point)) return { block, offset: piece.at };
      }
    }
    return null;
  }

  /** Describes a place, to be stored. */
  positionOf({ block, offset }: Place): ReadingPosition {
    const { text } = this.blocks[block] ?? { text: '' };
    const before = this.blocks.slice(0, block).reduce((sum, one) => sum + one.text.length, 0);
    return {
      before: text.slice(Math.max(0, offset - AROUND), offset),
      after: text.slice(offset, offset + AROUND),
      offset: before + offset,
    };
  }

  /** Finds a stored place: where the text around it is, or else as far into the text as it was. */
  find({ before, after, offset }: ReadingPosition): Place {
    const starts: number[] = [];
    let length = 0;
    for (const { text } of this.blocks) {
      starts.push(length);
      length += text.length;
    }
    const distance = (place: Place): number => Math.abs(starts[place.block]! + place.offset - offset);
    for (let around = AROUND; around >= AROUND_MIN; around = Math.floor(around / 2)) {
      const [head, tail] = [before.slice(-around), after.slice(0, around)];
      const found = this.blocks.flatMap(({ text }, block) =>
        placesOf(text, head + tail).map((at) => ({ block, offset: at + head.length })),
      );
      if (found.length > 0) return found.toSorted((one, other) => distance(one) - distance(other))[0]!;
    }
    const block = Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    );
    return { block, offset: Math.min(offset - (starts[block] ?? 0), this.blocks[block]?.text.length ?? 0) };
  }

  /** Returns the index of a block, also of one of an older version of the page; -1 if it is gone. */
  indexOf(old: Block): number {
    const node = old.pieces[0]?.node;
    return this.blocks.findIndex(({ pieces }) => pieces[0]?.node === node);
  }

  /** Returns the index of the block that follows a block of an older version of the page. */
  after(old: Block, older: PageText): number {
    const last = old.pieces.findLast(({ node }) => node.isConnected);
    if (!last) {
      const index = older.blocks.indexOf(old);
      const kept = older.blocks.map((block) => this.indexOf(block));
      // All of the page is gone: it was rendered again with other blocks, or is another page. A translation has as many blocks.
      if (Math.max(...kept) < 0 && kept.length !== this.blocks.length) {
        const same = this.find(older.positionOf({ block: index, offset: 0 })).block;
        return this.blocks[same]?.text === old.text ? same + 1 : this.blocks.length;
      }
      // Count back from the next block that is still there: those before it may have been rendered again.
      kept.push(this.blocks.length);
      const next = kept.findIndex((found, at) => at > index && found >= 0);
      return Math.max(0, kept[next]! + index + 1 - next, ...kept.slice(0, index).map((found) => found + 1));
    }
    const point = documentOf(last.node).createRange();
    point.setStartAfter(last.node);
    const next = this.blocks.findIndex(({ pieces }) => pieces[0] !== undefined && isBehind(pieces[0].node, point));
    return next < 0 ? this.blocks.length : next;
  }
}

/** Returns the part of the page that a part of a block is; null if it is gone. */
export function rangeOf({ pieces }: Block, from: number, to: number): Range | null {
  const found = pieces.filter(({ at, length }) => at < to && at + length > from);
  const [first, last] = [found[0], found.at(-1)];
  if (!first?.node.isConnected || !last?.node.isConnected) return null;
  const range = documentOf(first.node).createRange();
  if (isText(first.node)) range.setStart(first.node, clamp(first.offset + from - first.at, first.node));
  else range.setStartBefore(first.node);
  if (isText(last.node)) {
    const offset = last.offset + Math.min(to - last.at, last.length);
    range.setEnd(last.node, clamp(offset, last.node));
  } else range.setEndAfter(last.node);
  return range.collapsed ? null : range;
}

/** True if a node begins at or behind a point. */
function isBehind(node: Node, point: Range): boolean {
  // Nodes of different trees are compared by where the hosts of their shadow roots are.
  let shown = node;
  const root = point.startContainer.getRootNode();
  let tree = shown.getRootNode();
  while (tree !== root && isShadowRoot(tree)) {
    shown = tree.host;
    tree = shown.getRootNode();
  }
  if (tree !== root) return false;
  const own = documentOf(shown).createRange();
  own.selectNode(shown);
  return own.compareBoundaryPoints(Range.START_TO_START, point) >= 0;
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  if (wanted === '') return places;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

/** A text may have become shorter. */
function clamp(offset: number, { length }: Text): number {
  return Math.min(offset, length);
}
