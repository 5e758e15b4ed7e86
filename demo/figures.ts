/** One figure under the picture. */
export interface Figure {
  /** What it is, in a few words. */
  readonly label: string;
  /** Its value; null while there is none. */
  readonly value: string | null;
  /** Such as `ms`. */
  readonly unit?: string;
  readonly tone?: 'plain' | 'trouble';
}

/** Shows `figures` in a description list, and touches only those that changed. */
export class FigureTable {
  readonly #list: HTMLDListElement;
  readonly #shown: string[] = [];

  constructor(list: HTMLDListElement) {
    this.#list = list;
  }

  show(figures: readonly Figure[]): void {
    figures.forEach((figure, index) => {
      const key = Object.values(figure).join();
      if (this.#shown[index] === key) return;
      this.#shown[index] = key;
      const cell = draw(figure);
      const old = this.#list.children[index];
      if (old) old.replaceWith(cell);
      else this.#list.append(cell);
    });
  }
}

/** Whole part large, decimals and unit small, as depths are written on a chart. */
function draw({ label, value, unit, tone = 'plain' }: Figure): HTMLDivElement {
  const term = document.createElement('dt');
  term.textContent = label;
  const description = document.createElement('dd');
  const decimals = /\.\d+$/.exec(value ?? '')?.[0] ?? '';
  description.append(value === null ? '–' : value.slice(0, value.length - decimals.length));
  const rest = `${decimals}${unit && value !== null ? `\u2009${unit}` : ''}`;
  if (rest) {
    const small = document.createElement('small');
    small.textContent = rest;
    description.append(small);
  }
  const cell = document.createElement('div');
  cell.dataset.tone = tone;
  cell.append(term, description);
  return cell;
}
