import { labelStyles } from './buttons.js';

/**
 * Styles of the controls. A page changes them with custom properties and parts. The page's `color-scheme` selects light
 * or dark, as for the browser's own controls.
 */
export const styles = /* css */ `
  ${labelStyles}
  :host {
    --_accent: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    font: 500 0.875rem/1.4 var(--svc-speaker-font, system-ui, sans-serif);
  }
  [part='controls'] {
    box-sizing: border-box;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-content: start;
    column-gap: 0.75rem;
    min-height: inherit;
    line-height: 1.5em;
    text-align: start;
    padding-block: 0.625rem;
    padding-inline: 0.625rem 1rem;
    border-radius: var(--svc-speaker-radius, 1.5rem);
    color: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    background: var(--svc-speaker-surface, light-dark(#f1f4f3, #1d2322));
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
  [part='controls'] {
    --_muted: var(--svc-speaker-muted, light-dark(#52625f, #9fb0ac));
    --_track: var(--svc-speaker-track, light-dark(#c9d3d1, #3f4b49));
  }
  [part='toggle']:hover {
    filter: brightness(1.12);
  }
  [part='toggle']:active {
    filter: brightness(0.92);
  }
  [part='toggle']::after {
    position: absolute;
    inset: -0.25rem;
    border: 2px solid transparent;
    border-radius: 50%;
    pointer-events: none;
  }
  :is(.connecting, .buffering) > [part='toggle']::after {
    border-color: var(--_accent);
    mask: conic-gradient(transparent 15%, #000);
    content: '';
  }
  .blocked > [part='toggle']::after {
    border-color: var(--_accent);
    content: '';
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  [part='toggle']:focus-visible {
    outline-offset: 0.25rem;
  }
  [part='loudness'] > svg {
    width: 1.5rem;
  }
  .line {
    fill: none;
    stroke-width: 1.75;
    stroke-linecap: round;
  }
  [part='toggle'][aria-disabled] {
    color: var(--_muted);
    background: var(--_track);
    filter: grayscale(1);
    cursor: default;
  }
  .middle {
    flex: 1 1 0;
    min-width: 0;
  }
  .top {
    display: flex;
    align-items: center;
    column-gap: 0.75rem;
    height: 1.75rem;
  }
  [part='meter'] {
    flex: 1;
    min-width: 0;
    height: 1.75rem;
  }
  canvas {
    display: block;
    width: 100%;
    height: 100%;
    color: var(--svc-speaker-wave, var(--_accent));
    fill: var(--_track);
    stroke: var(--svc-speaker-buffered, color-mix(in srgb, var(--svc-speaker-wave, var(--_accent)) 55%, var(--_track)));
    mask: linear-gradient(to right, transparent, #000 1rem, #000 calc(100% - 0.5rem), transparent);
    transition: 1ms;
    transition-property: color, fill, stroke;
  }
  canvas:dir(rtl) {
    transform: scaleX(-1);
  }
  .paused canvas {
    opacity: 0.6;
  }
  .below {
    display: flex;
    justify-content: space-between;
    column-gap: 0.75rem;
    height: 1lh;
    color: var(--_muted);
    overflow: hidden;
    line-height: max(1.25rem, 1.4em);
    white-space: nowrap;
  }
  [part='status'] {
    flex: none;
    max-width: 100%;
    overflow: hidden;
    text-align: match-parent;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
  }
  .blocked .below {
    color: inherit;
    font-weight: 650;
  }
  /* Of what has no room, each part wraps below the line, out of sight: first the duration, then all of it. */
  [part='time'] {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    overflow: hidden;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
    white-space: pre;
  }
  [part='time']::before {
    content: '\\200b';
  }
  [part='loudness'] {
    flex: 0 0 clamp(3.75rem, 37%, 6.5rem);
    display: flex;
    align-items: center;
    gap: 0.25rem;
    color: var(--_muted);
  }
  [part='loudness']:dir(rtl) > svg {
    transform: scaleX(-1);
  }
  [part='tools'] {
    box-sizing: border-box;
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    min-height: var(--_tools);
    margin-top: 0.25rem;
    padding-inline-start: 0.375rem;
    color: var(--_muted);
  }
  [part='tools'] > label:first-child {
    display: flex;
    flex: 1 1 6rem;
  }
  [part='speed'],
  [part^='download'] {
    appearance: none;
    display: grid;
    place-items: center;
    box-sizing: border-box;
    height: var(--_tools);
    padding: 0;
    border: 0;
    border-radius: 0.5rem;
    color: inherit;
    background: none;
    font: inherit;
    cursor: pointer;
  }
  [part='speed'] {
    margin-inline-start: 0.5rem;
    padding-inline: 0.25rem;
    text-align: center;
    text-align-last: center;
    direction: ltr;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  option {
    color: FieldText;
    background: Field;
  }
  [part^='download'] {
    width: var(--_tools);
  }
  [part^='download'] svg {
    width: 1.5rem;
  }
  :is([part='speed'], [part^='download']):hover:enabled {
    color: var(--_accent);
  }
  [part^='download']:disabled {
    opacity: 0.4;
    cursor: default;
  }
  [type='range'] {
    --_to: right;
    --_at: calc(0.4375rem + var(--_value) * (100% - 0.875rem));
    --_fill: linear-gradient(to var(--_to), var(--_accent) var(--_at), var(--_track) 0);
    appearance: none;
    flex: 1;
    width: 0;
    height: 2.75rem;
    margin: -0.5rem 0;
    border-radius: 0.5rem;
    background: none;
    cursor: pointer;
  }
  [type='range']:dir(rtl) {
    --_to: left;
  }
  [part='progress'] {
    --_fill: linear-gradient(
      to var(--_to),
      var(--_accent) var(--_at),
      var(--svc-speaker-buffered, color-mix(in srgb, var(--_accent) 30%, var(--_track))) 0 calc(var(--_buffered) * 100%),
      var(--_track) 0
    );
  }
  [part='progress']:disabled {
    --_fill: var(--_track);
    cursor: default;
  }
  ::-webkit-slider-runnable-track {
    height: 0.25rem;
    border-radius: 1rem;
    background: var(--_fill);
  }
  ::-moz-range-track {
    height: 0.25rem;
    border-radius: 1rem;
    background: var(--_fill);
  }
  ::-webkit-slider-thumb {
    appearance: none;
    width: 0.875rem;
    height: 0.875rem;
    margin-top: -0.3125rem;
    border-radius: 50%;
    background: var(--_accent);
  }
  ::-moz-range-thumb {
    width: 0.875rem;
    height: 0.875rem;
    border: 0;
    border-radius: 50%;
    background: var(--_accent);
  }
  :disabled::-webkit-slider-thumb {
    visibility: hidden;
  }
  :disabled::-moz-range-thumb {
    visibility: hidden;
  }
  [part='caption'],
  [part='error'] {
    box-sizing: border-box;
    flex: 1 0 100%;
    margin: calc(min(1, var(--_lines)) * 0.5rem) 0 0;
    padding-inline: 0.375rem 0;
    font-weight: 400;
    font-size: calc(1em + 0.0625rem);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  [part='caption'] {
    align-content: safe center;
    height: calc(var(--_lines) * 1lh);
    overflow: hidden;
  }
  .more {
    mask: linear-gradient(#000 calc(100% - 1lh), rgb(0 0 0 / 30%));
  }
  slot[name='caption'] {
    white-space: pre-line;
  }
  ::highlight(svc-word) {
    background-color: color-mix(in srgb, var(--_accent) 22%, transparent);
  }
  [part='caption'][hidden] {
    display: none;
  }
  .ready > [part='caption'] {
    color: var(--_muted);
  }
  [part='error'] {
    align-content: center;
    min-height: calc(var(--_lines) * 1lh);
    color: var(--svc-speaker-error, light-dark(#a3261d, #ff9d92));
    text-wrap: pretty;
  }
  @media (prefers-reduced-motion: no-preference) {
    :is(.connecting, .buffering) > [part='toggle']::after {
      animation: turn 1s linear infinite;
    }
    :is(.connecting, .buffering) [part='meter'] {
      animation: wait 1s ease-in-out infinite alternate;
    }
    .blocked > [part='toggle']::after {
      animation: call 1.6s ease-out infinite;
    }
    [part='caption'] {
      scroll-behavior: smooth;
    }
    @keyframes turn {
      to {
        rotate: 1turn;
      }
    }
    @keyframes wait {
      to {
        opacity: 0.45;
      }
    }
    @keyframes call {
      from {
        scale: 0.86;
      }
      to {
        opacity: 0;
      }
    }
  }
  @media (prefers-contrast: more), (forced-colors: active) {
    .more {
      mask: none;
    }
  }
  @media (forced-colors: active) {
    [part='controls'],
    [part='toggle'] {
      border: 1px solid;
    }
    [part='toggle'][aria-disabled] {
      border-style: dashed;
      color: GrayText;
      filter: none;
    }
    canvas {
      color: Highlight;
      fill: GrayText;
      stroke: CanvasText;
    }
    .paused canvas {
      opacity: 1;
    }
    [part='toggle']::after {
      forced-color-adjust: none;
      --_accent: Highlight;
    }
    [type='range'] {
      appearance: auto;
    }
  }
`;
