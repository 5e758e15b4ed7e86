import { css } from 'lit';

/**
 * Styles of the controls from the beginning: the bar in its final size, and its button. `control-details.ts` adds the rest.
 * A page changes them by custom properties and parts. Light or dark by the page's `color-scheme`, like the browser's own
 * controls.
 */
export const styles = css`
  :host {
    --_accent: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    --_lines: var(--svc-speaker-caption-lines, 2);
    --_gap: calc(min(1, var(--_lines)) * 0.5rem);
    --_caption: calc(var(--_lines) * 1.3125rem);
    display: inline-block;
    width: 20rem;
    max-width: 100%;
    font: 500 0.875rem/1.4 var(--svc-speaker-font, system-ui, sans-serif);
  }
  :host([hidden]),
  :host(:not([controls])) {
    display: none;
  }
  [part='controls'] {
    box-sizing: border-box;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-content: start;
    column-gap: 0.75rem;
    min-height: 4.25rem;
    text-align: start;
    padding-block: 0.625rem;
    padding-inline: 0.625rem 1rem;
    border-radius: var(--svc-speaker-radius, 1.5rem);
    color: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    background: var(--svc-speaker-surface, light-dark(#f1f4f3, #1d2322));
  }
  :host([text]:not([text=''])) [part='controls'] {
    min-height: calc(4.25rem + var(--_gap) + var(--_caption));
  }
  [part='toggle'] {
    position: relative;
    display: grid;
    place-items: center;
    width: 3rem;
    height: 3rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    color: var(--svc-speaker-on-accent, light-dark(#fff, #06201c));
    background: var(--_accent);
    cursor: pointer;
  }
  svg {
    flex: none;
    width: 1.75rem;
    fill: currentColor;
    stroke: currentColor;
    stroke-linejoin: round;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
