/** Pieces of buttons, which the controls share with the reader's bar. */
import { html, type TemplateResult } from 'lit';

const ROUND_ARROW = 'M12.5 6.1v-2.6L8.6 6.7l3.9 3.2V7.7a4.9 4.9 0 1 1-5.4 5H5.6a6.5 6.5 0 1 0 6.9-6.6z';

/** Path of the play button's icon, by what the button does. */
export const ICONS = {
  play: 'M9 6v12l9.5-6z',
  pause: 'M7.5 6h2v12h-2zm7 0h2v12h-2z',
  replay: ROUND_ARROW,
  retry: ROUND_ARROW,
} as const;

/** Returns an icon. */
export function icon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}

/** Returns a label that only assistive technology reads, with its slot. Needs `labelStyles`. */
export function label(name: string, text: string): TemplateResult {
  return html`<span class="hidden"><slot name="${name}-label">${text}</slot></span>`;
}

/** Styles of such labels. */
export const labelStyles = /* css */ `
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
