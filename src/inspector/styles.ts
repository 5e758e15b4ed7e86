import { css, unsafeCSS } from 'lit';
import { colorNames } from './picture.js';

/**
 * Styles of the inspector. Colours, font and radius come from the custom properties of the speaker's controls, so that
 * one theme covers both. The inspector defines properties only for its own drawings.
 */
export const styles = css`
  /* Colours and legend */

  :host {
    --_text: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    --_muted: var(--svc-speaker-muted, light-dark(#52625f, #9fb0ac));
    --_surface: var(--svc-speaker-surface, light-dark(#f7f9f8, #151a19));
    --_line: var(--svc-speaker-inspector-line, light-dark(#dde4e2, #2a3331));
    --_buffer: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    --_target: var(--svc-speaker-inspector-target, light-dark(#a35a00, #f0b25b));
    --_arrivals: var(--svc-speaker-inspector-arrivals, light-dark(#2f5fd0, #8db2ff));
    --_pace: var(--svc-speaker-inspector-pace, light-dark(#7b3fb0, #cda4f5));
    --_concealed: var(--svc-speaker-inspector-concealed, light-dark(#c77700, #ffb938));
    --_trouble: var(--svc-speaker-error, light-dark(#b3261e, #ff8a7d));
    --_radius: calc(min(var(--svc-speaker-radius, 0.875rem), 0.875rem));
    display: block;
    container-type: inline-size;
    font: 0.8125rem/1.4 var(--svc-speaker-font, system-ui, sans-serif);
    font-variant-numeric: tabular-nums;
    color: var(--_text);
  }
  :host([hidden]) {
    display: none;
  }
  .key {
    display: inline-block;
    width: 0.625rem;
    height: 0.625rem;
    margin-inline-end: 0.25rem;
    border-radius: 0.1875rem;
    background: currentColor;
    forced-color-adjust: none;
  }
  .key.dashed {
    height: 0;
    border-top: 2px dashed currentColor;
    border-radius: 0;
    background: none;
    vertical-align: 0.25em;
  }
  .key.hollow {
    box-sizing: border-box;
    border-block: 1.5px solid currentColor;
    border-radius: 0;
    background: none;
  }
  ${unsafeCSS(colorNames.map((name) => `.${name}-color { color: var(--_${name}) }`).join(' '))}
  .palette {
    display: none;
    forced-color-adjust: none;
  }

  /* Frame and state line */

  /* The text is English, and the time axis runs from left to right in every language. */
  [part='inspector'] {
    box-sizing: border-box;
    direction: ltr;
    padding: 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    justify-content: space-between;
  }
  .state {
    flex: 1 1 14rem;
    min-width: 0;
    margin: 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .state span {
    display: block;
  }
  .state strong {
    color: var(--_text);
    font-weight: 600;
  }
  .lamp {
    display: inline-block;
    width: 0.5rem;
    height: 0.5rem;
    margin-inline: 0.1875rem 0.5rem;
    vertical-align: 0.0625rem;
    border-radius: 50%;
    background: var(--_muted);
  }
  .lamp.live {
    background: var(--_buffer);
    box-shadow: 0 0 0 0.1875rem color-mix(in srgb, var(--_buffer) 25%, transparent);
  }
  :focus-visible {
    position: relative;
    z-index: 1;
    outline: 2px solid var(--_buffer);
    outline-offset: 2px;
  }
  [part='error'] {
    margin: 0.75rem 0 0;
    color: var(--_trouble);
    overflow-wrap: anywhere;
  }

  /* Toolbar */

  [part='toolbar'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .joined {
    display: flex;
  }
  button {
    display: inline-flex;
    gap: 0.3125rem;
    align-items: center;
    justify-content: center;
    min-width: 2rem;
    min-height: 2rem;
    padding: 0 0.625rem;
    border: 1px solid var(--_line);
    border-radius: 0.5rem;
    color: inherit;
    background: none;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--_muted);
  }
  button:disabled {
    color: var(--_muted);
    opacity: 0.6;
    cursor: default;
  }
  button:disabled:hover {
    border-color: var(--_line);
  }
  .texts {
    display: inline-flex;
    gap: 0.25rem;
    align-items: center;
    min-height: 2rem;
    color: var(--_muted);
  }
  .texts input {
    margin: 0;
    accent-color: var(--_buffer);
  }
  .joined button {
    padding: 0 0.5rem;
    border-radius: 0;
  }
  .joined button + button {
    margin-inline-start: -1px;
  }
  .joined button:first-child {
    border-start-start-radius: 0.5rem;
    border-end-start-radius: 0.5rem;
  }
  .joined button:last-child {
    border-start-end-radius: 0.5rem;
    border-end-end-radius: 0.5rem;
  }
  svg {
    width: 1rem;
    height: 1rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  /* Plots */

  [part='plots'] {
    margin-top: 0.75rem;
    border-radius: 0.25rem;
    cursor: crosshair;
    touch-action: pan-y;
    user-select: none;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.875rem;
    align-items: baseline;
    min-height: 1.375rem;
    color: var(--_muted);
  }
  .head b {
    color: var(--_text);
    font-weight: 600;
  }
  .head span {
    white-space: nowrap;
  }
  .value {
    color: var(--_text);
  }
  canvas {
    display: block;
    width: 100%;
    height: 2.75rem;
  }
  .track + .track {
    margin-top: 0.25rem;
  }
  canvas.buffer {
    height: 8rem;
  }
  canvas.heard {
    height: 1.25rem;
  }
  canvas.events,
  canvas.time {
    height: 1.125rem;
  }
  .track.events {
    margin-top: 0.375rem;
  }
  .track.time {
    margin-top: 0;
  }

  /* Latency bars */

  [part='latency'] {
    display: grid;
    gap: 1rem 1.75rem;
    margin-top: 0.875rem;
    padding-top: 0.875rem;
    border-top: 1px solid var(--_line);
  }
  h3 {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    justify-content: space-between;
    margin: 0;
    font: inherit;
    font-weight: 600;
  }
  h3 span {
    font-size: 1.125rem;
  }
  .bar {
    display: flex;
    gap: 2px;
    height: 0.625rem;
    margin-block: 0.375rem 0.5rem;
    overflow: hidden;
    border-radius: 0.3125rem;
    background: var(--_line);
  }
  .bar i {
    flex: 0 0 auto;
    min-width: 0;
    background: currentColor;
    forced-color-adjust: none;
  }
  .start {
    margin-top: 0.375rem;
  }
  .start .bar {
    position: relative;
    align-self: center;
    margin: 0;
    direction: ltr;
  }
  .start .bar i {
    position: absolute;
    inset-block: 0;
    min-width: 2px;
  }
  /* The request: what is to the left of it was prepared. */
  .start .bar::after {
    content: '';
    position: absolute;
    inset-block: 0;
    left: var(--_request);
    border-left: 1px solid var(--_text);
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: 0.125rem 0.5rem;
    margin: 0;
  }
  dl div {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: baseline;
  }
  dt {
    white-space: nowrap;
  }
  dd {
    margin: 0;
    color: var(--_muted);
  }
  dd.figure {
    color: var(--_text);
    text-align: end;
    white-space: nowrap;
  }
  .note {
    margin: 0.5rem 0 0;
    color: var(--_muted);
  }

  /* Wide, narrow, forced colours */

  @container (min-width: 44rem) {
    [part='inspector'] {
      padding: 1.125rem 1.25rem 1.25rem;
    }
    canvas.buffer {
      height: 10rem;
    }
    [part='latency'] {
      grid-template-columns: 1fr 1fr;
    }
  }
  @container (max-width: 24rem) {
    button {
      padding: 0 0.5rem;
    }
    .how {
      display: none;
    }
    dl:not(.start) {
      grid-template-columns: 1fr auto;
    }
  }
  @media (forced-colors: active) {
    :host {
      --_text: CanvasText;
      --_muted: CanvasText;
      --_surface: Canvas;
      --_line: color-mix(in srgb, CanvasText 30%, Canvas);
      --_buffer: CanvasText;
      --_target: LinkText;
      --_arrivals: CanvasText;
      --_pace: CanvasText;
      --_concealed: Highlight;
      --_trouble: Highlight;
    }
    .lamp {
      forced-color-adjust: none;
    }
    /* Most have the same colour here, so each has a pattern of its own. */
    .key,
    .bar i {
      box-sizing: border-box;
      border: 1px solid currentColor;
      background: none;
    }
    :is(.key, .bar i).buffer-color {
      background: currentColor;
    }
    :is(.key, .bar i).arrivals-color {
      background: repeating-linear-gradient(90deg, currentColor 0 2px, transparent 2px 4px);
    }
    :is(.key, .bar i).pace-color {
      background: repeating-linear-gradient(currentColor 0 2px, transparent 2px 4px);
    }
    :is(.key, .bar i).target-color:not(.dashed) {
      background: repeating-linear-gradient(45deg, currentColor 0 2px, transparent 2px 5px);
    }
    .key.concealed-color {
      border-radius: 50%;
      background: currentColor;
    }
    .key.trouble-color:not(.hollow) {
      background: currentColor;
      rotate: 45deg;
      scale: 0.8;
    }
    .key.dashed {
      border: 0;
      border-top: 2px dashed;
    }
    .key.hollow {
      border-inline: 0;
    }
    .bar {
      background: none;
    }
  }
`;
