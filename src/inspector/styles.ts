import { css, type CSSResult } from 'lit';
import { colorStyles } from './color-styles.js';
import { latencyStyles } from './latency-styles.js';
import { plotStyles } from './plot-styles.js';
import { toolbarStyles } from './toolbar-styles.js';

/** Looks of what is around all parts, and of the line that says what is shown. */
const frameStyles = css`
  :host {
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
  /* Its words are English, and time runs from left to right, as it does in plots everywhere. */
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
  @container (min-width: 44rem) {
    [part='inspector'] {
      padding: 1.125rem 1.25rem 1.25rem;
    }
  }
  @media (forced-colors: active) {
    .lamp {
      forced-color-adjust: none;
    }
  }
`;

/**
 * Looks of the inspector. It takes the custom properties of the speaker's controls, so that a theme is one; colours of
 * its own are those of what it draws.
 */
export const styles: CSSResult[] = [colorStyles, frameStyles, toolbarStyles, plotStyles, latencyStyles];
