import type { PathShapes } from './avatar.js';

const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** Opening at which the forms are drawn. */
const HALF = 0.5;

/** Shapes of the paths at one position, 0 to 1. */
export interface Keyframe {
  readonly at: number;
  readonly paths: PathShapes;
}

/** A path of the drawing: the text between the numbers of its data, and the numbers of each keyframe and form. */
interface Blended {
  readonly path: Element;
  readonly between: readonly string[];
  readonly keyframes: readonly (readonly number[])[];
  readonly forms: readonly (readonly [form: string, numbers: readonly number[]])[];
}

/** Interpolates paths of a drawing between keyframes, and blends forms in. */
export class PathBlend {
  readonly #paths: readonly Blended[];
  readonly #stops: readonly number[];

  /**
   * @param keyframes - At least two, in ascending order. Paths that the drawing lacks are ignored.
   * @param forms - Other shapes of some paths at position 0.5.
   */
  constructor(
    drawing: ParentNode,
    keyframes: readonly Keyframe[],
    forms: Readonly<Record<string, PathShapes | undefined>> = {},
  ) {
    this.#stops = keyframes.map(({ at }) => at);
    this.#paths = Object.entries(keyframes[0]!.paths).flatMap(([id, data]) => {
      const path = drawing.querySelector(`path[id="${CSS.escape(id)}"]`);
      const shapes = keyframes.map(({ paths }) => numbersOf(paths[id]));
      const formed = Object.entries(forms).flatMap(([form, paths]) =>
        paths && Object.hasOwn(paths, id) ? [[form, numbersOf(paths[id])] as const] : [],
      );
      const isBlendable = [...shapes, ...formed.map(([, numbers]) => numbers)].every(
        ({ length }) => length === shapes[0]!.length,
      );
      return path && isBlendable ? [{ path, between: data.split(number), keyframes: shapes, forms: formed }] : [];
    });
  }

  /**
   * Draws the paths at a position, 0 to 1.
   *
   * @param shares - Shares of the forms, together at most 1.
   */
  show(at: number, shares: Readonly<Record<string, number>> = {}): void {
    for (const { path, between, keyframes, forms } of this.#paths) {
      const plain = this.#at(keyframes, at);
      const half = forms.length > 0 ? this.#at(keyframes, HALF) : plain;
      const numbers = plain.map((value, index) => {
        let shown = value;
        for (const [form, formed] of forms) {
          const closed = keyframes[0]![index]!;
          // Below 0.5 the form opens from the closed shape; above, it opens further as the plain shape does.
          const other =
            at < HALF ? closed + ((formed[index]! - closed) * at) / HALF : formed[index]! + (value - half[index]!);
          shown += (shares[form] ?? 0) * (other - value);
        }
        return shown;
      });
      path.setAttribute(
        'd',
        between.reduce((data, text, index) => `${data}${round(numbers[index - 1]!)}${text}`),
      );
    }
  }

  #at(keyframes: readonly (readonly number[])[], at: number): number[] {
    let next = this.#stops.findIndex((stop) => stop >= at);
    if (next === -1) next = this.#stops.length - 1;
    const last = Math.max(0, next - 1);
    const [from, to] = [this.#stops[last]!, this.#stops[next]!];
    const share = to > from ? (at - from) / (to - from) : 0;
    return keyframes[last]!.map((start, index) => start + (keyframes[next]![index]! - start) * share);
  }
}

function numbersOf(data: string | undefined): number[] {
  return [...(data ?? '').matchAll(number)].map(([text]) => Number(text));
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
