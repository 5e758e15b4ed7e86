import { css } from 'lit';

/**
 * Looks of the controls; a page changes them by custom properties and parts. Light or dark as the page's own
 * `color-scheme` says, like the browser's own controls.
 */
export const styles = css`
  :host {
    --_accent: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    --_muted: var(--svc-speaker-muted, light-dark(#52625f, #9fb0ac));
    --_track: var(--svc-speaker-track, light-dark(#d0d9d7, #3a4644));
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
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    column-gap: 0.75rem;
    padding-block: 0.5rem;
    padding-inline: 0.5rem 0.875rem;
    border-radius: var(--svc-speaker-radius, 1.875rem);
    color: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    background: var(--svc-speaker-surface, light-dark(#f1f4f3, #1d2322));
  }
  [part='toggle'] {
    display: grid;
    place-items: center;
    width: 2.75rem;
    height: 2.75rem;
    padding: 0;
    border: 0;
    border-radius: 50%;
    color: var(--svc-speaker-on-accent, light-dark(#fff, #06201c));
    background: var(--_accent);
    cursor: pointer;
  }
  [part='toggle']:hover {
    filter: brightness(1.12);
  }
  [part='toggle']:active {
    filter: brightness(0.92);
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  svg {
    flex: none;
    width: 1.375rem;
    fill: currentColor;
  }
  .middle {
    flex: 1 1 5rem;
    min-width: 0;
  }
  [part='status'] {
    display: block;
    overflow: hidden;
    color: var(--_muted);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [part='meter'] {
    height: 0.25rem;
    margin-block: 0.25rem 0.125rem;
    overflow: hidden;
    border-radius: 1rem;
    background: var(--_track);
  }
  [part='meter'] > span {
    display: block;
    height: 100%;
    border-radius: inherit;
    background: var(--_accent);
    transform: scaleX(var(--_level, 0));
    transform-origin: left;
  }
  [part='meter']:dir(rtl) > span {
    transform-origin: right;
  }
  label {
    flex: 0 0 6rem;
    display: flex;
    align-items: center;
    gap: 0.375rem;
    color: var(--_muted);
  }
  label:dir(rtl) > svg {
    transform: scaleX(-1);
  }
  [part='volume'] {
    appearance: none;
    flex: 1;
    width: 0;
    height: 2.75rem;
    margin: 0;
    border-radius: 0.5rem;
    background: none;
    cursor: pointer;
  }
  ::-webkit-slider-runnable-track {
    height: 0.25rem;
    border-radius: 1rem;
    background: var(--_track);
  }
  ::-moz-range-track {
    height: 0.25rem;
    border-radius: 1rem;
    background: var(--_track);
  }
  ::-webkit-slider-thumb {
    appearance: none;
    width: 0.875rem;
    height: 0.875rem;
    margin-top: -0.3125rem;
    border-radius: 50%;
    background: var(--_muted);
  }
  ::-moz-range-thumb {
    width: 0.875rem;
    height: 0.875rem;
    border: 0;
    border-radius: 50%;
    background: var(--_muted);
  }
  [part='error'] {
    flex: 1 0 100%;
    margin: 0;
    padding: 0.375rem 0.375rem 0.25rem 0.5rem;
    color: var(--svc-speaker-error, light-dark(#a3261d, #ff9d92));
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    :host(:state(buffering)) [part='meter'] {
      animation: wait 1s ease-in-out infinite alternate;
    }
    @keyframes wait {
      to {
        opacity: 0.35;
      }
    }
  }
  @media (forced-colors: active) {
    [part='controls'],
    [part='toggle'],
    [part='meter'],
    [part='volume'] {
      border: 1px solid;
    }
    [part='meter'] > span {
      background: Highlight;
    }
  }
`;
