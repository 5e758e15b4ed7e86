import { labelStyles } from '../controls/buttons.js';

/** Styles of `<svc-reader>`. A page changes them with the custom properties of the speaker's controls, and with parts. */
export const barStyles = /* css */ `
  ${labelStyles}
  :host {
    --_accent: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    --_muted: var(--svc-speaker-muted, light-dark(#52625f, #9fb0ac));
    --_track: var(--svc-speaker-track, light-dark(#c9d3d1, #3f4b49));
    display: inline-block;
    width: 26rem;
    max-width: 100%;
    font: 500 0.875rem/1.4 var(--svc-speaker-font, system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  [part='bar'] {
    box-sizing: border-box;
    display: flex;
    align-items: center;
    gap: 0.25rem;
    min-height: 4rem;
    padding-block: 0.5rem;
    padding-inline: 0.5rem;
    border-radius: var(--svc-speaker-radius, 1.5rem);
    color: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    background: var(--svc-speaker-surface, light-dark(#f1f4f3, #1d2322));
  }
  button {
    display: grid;
    place-items: center;
    flex: none;
    width: 2.5rem;
    height: 2.5rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    color: inherit;
    background: none;
    cursor: pointer;
  }
  [part='toggle'] {
    width: 3rem;
    height: 3rem;
    color: var(--svc-speaker-on-accent, light-dark(#fff, #06201c));
    background: var(--_accent);
  }
  button:hover:not(:disabled) {
    filter: brightness(1.12);
  }
  [part='previous']:hover:not(:disabled),
  [part='next']:hover:not(:disabled) {
    background: color-mix(in srgb, currentColor 10%, transparent);
  }
  button:disabled {
    color: var(--_muted);
    opacity: 0.6;
    cursor: default;
  }
  [part='toggle']:disabled {
    background: var(--_track);
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  svg {
    width: 1.5rem;
    fill: currentColor;
  }
  [part='previous']:dir(rtl) svg,
  [part='next']:dir(rtl) svg {
    transform: scaleX(-1);
  }
  .middle {
    flex: 1;
    display: flex;
    flex-wrap: wrap;
    column-gap: 0.75rem;
    min-width: 0;
    padding-inline: 0.25rem;
    color: var(--_muted);
  }
  [part='status'] {
    overflow-wrap: break-word;
    min-width: 0;
  }
  [role='alert'] {
    color: var(--svc-speaker-error, light-dark(#a3231b, #ff9d93));
  }
  [part='time'] {
    font-weight: 400;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  [part='speed'] {
    appearance: none;
    field-sizing: content;
    text-align: center;
    height: 2.5rem;
    padding-inline: 0.5rem;
    border: 0;
    border-radius: 0.75rem;
    font: inherit;
    font-variant-numeric: tabular-nums;
    color: inherit;
    background: none;
    cursor: pointer;
  }
  [part='speed']:hover {
    background: color-mix(in srgb, currentColor 10%, transparent);
  }
  option {
    color: light-dark(#16211f, #e6eeec);
    background: light-dark(#fff, #1d2322);
  }
  @media (forced-colors: active) {
    [part='bar'] {
      border: 1px solid;
    }
    [part='toggle'] {
      border: 1px solid ButtonText;
    }
  }
`;
