import { css } from 'lit';

/** Looks of the controls; a page changes them by custom properties and parts. */
export const styles = css`
  :host {
    display: inline-block;
    color-scheme: light dark;
    --_accent: var(--svc-speaker-accent, light-dark(#0b6e62, #5fd4c3));
    --_surface: var(--svc-speaker-surface, light-dark(#f4f6f5, #1d2322));
    --_text: var(--svc-speaker-text, light-dark(#16211f, #e6eeec));
    --_muted: var(--svc-speaker-muted, light-dark(#5a6a67, #98a9a5));
    --_track: var(--svc-speaker-track, light-dark(#d5dddb, #36413f));
    --_error: var(--svc-speaker-error, light-dark(#a3261d, #ff9d92));
    font: 500 0.875rem/1.3 var(--svc-speaker-font, system-ui, sans-serif);
  }
  :host([hidden]),
  :host(:not([controls])) {
    display: none;
  }
  [part='controls'] {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    box-sizing: border-box;
    min-width: 0;
    padding: 0.5rem 0.75rem 0.5rem 0.5rem;
    border-radius: var(--svc-speaker-radius, 999px);
    color: var(--_text);
    background: var(--_surface);
  }
  [part='toggle'] {
    flex: none;
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
  [part='toggle']:focus-visible,
  [part='volume']:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 3px;
  }
  svg {
    width: 1.25rem;
    height: 1.25rem;
    fill: currentColor;
  }
  .middle {
    flex: 1 1 8rem;
    min-width: 0;
  }
  [part='status'] {
    display: block;
    margin-bottom: 0.3rem;
    overflow: hidden;
    color: var(--_muted);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :host(:state(error)) [part='status'] {
    color: var(--_error);
    white-space: normal;
  }
  [part='meter'] {
    height: 0.375rem;
    overflow: hidden;
    border-radius: 999px;
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
  [part='volume'] {
    flex: 0 1 5.5rem;
    min-width: 3rem;
    accent-color: var(--_accent);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    [part='controls'] {
      border: 1px solid;
    }
    [part='meter'] > span {
      background: Highlight;
    }
    [part='toggle'] {
      border: 1px solid;
    }
  }
`;
