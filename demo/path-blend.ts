import type { PathShapes } from './avatar.js';

const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** A path's data, taken apart: what stands between its numbers, and the numbers. */
interface PathParts {
  readonly between: readonly string[];
  readonly numbers: readonly number[];
}

/** A picture of the drawing at some point between its first (0) and its last (1) one. */
export interface Keyframe {
  readonly at: number;
  readonly paths: PathShapes;
}

/** Paths that change their shape together, from one picture of them to the next. */
export class PathBlend {
  readonly #paths: readonly { readonly path: Element; readonly parts: readonly PathParts[] }[];
  readonly #stops: readonly number[];

  /** @param keyframes - At least two, rising; paths that the drawing lacks are left out. */
  constructor(drawing: ParentNode, keyframes: readonly Keyframe[]) {
    this.#stops = keyframes.map(({ at }) => at);
    this.#paths = Object.keys(keyframes[0]!.paths).flatMap((id) => {
      const path = drawing.querySelector(`path[id="${CSS.escape(id)}"]`);
      const parts = keyframes.map(({ paths }) => takeApart(paths[id] ?? ''));
      const alike = parts.every(({ numbers }) => numbers.length === parts[0]!.numbers.length);
      return path && alike ? [{ path, parts }] : [];
    });
  }

  /** Shows the drawing at this point, 0 to 1. */
  show(at: number): void {
    let next = this.#stops.findIndex((stop) => stop >= at);
    if (next === -1) next = this.#stops.length - 1;
    const last = Math.max(0, next - 1);
    const [from, to] = [this.#stops[last]!, this.#stops[next]!];
    const share = to > from ? (at - from) / (to - from) : 0;
    for (const { path, parts } of this.#paths) path.setAttribute('d', blend(parts[last]!, parts[next]!, share));
  }
}

function takeApart(data: string): PathParts {
  return { between: data.split(number), numbers: [...data.matchAll(number)].map(([text]) => Number(text)) };
}

function blend(from: PathParts, to: PathParts, share: number): string {
  return from.between.reduce((data, text, index) => {
    if (index === 0) return text;
    const start = from.numbers[index - 1]!;
    const end = to.numbers[index - 1]!;
    return `${data}${Number((start + (end - start) * share).toFixed(2))}${text}`;
  }, '');
}
