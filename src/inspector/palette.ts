import { html, type LitElement, type TemplateResult } from 'lit';

const names = ['surface', 'muted', 'line', 'buffer', 'target', 'arrivals', 'pace', 'concealed', 'trouble'] as const;

/** Colours as a canvas wants them; `font` is the font family of the figures. */
export type TrackColors = Readonly<Record<(typeof names)[number] | 'text' | 'font', string>>;

/** One unseen element of each colour: the browser resolves them for `colorsOf`. */
export function palette(): TemplateResult {
  return html`<div class="palette">${names.map((name) => html`<i class="${name}-color"></i>`)}</div>`;
}

/** Those of an inspector as they are now, whatever scheme or theme the page has taken since. */
export function colorsOf(inspector: LitElement): TrackColors {
  const color = (name: string): string =>
    getComputedStyle(inspector.renderRoot.querySelector(`.palette .${name}-color`)!).color;
  const { color: text, fontFamily: font } = getComputedStyle(inspector);
  const colors = Object.fromEntries(names.map((name) => [name, color(name)]));
  return { ...(colors as Record<(typeof names)[number], string>), text, font };
}
