import { css } from 'lit';

/** Colours of the inspector, by the names that pictures and words have for them, and the keys to them. */
export const colorStyles = css`
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
  .buffer-color {
    color: var(--_buffer);
  }
  .target-color {
    color: var(--_target);
  }
  .arrivals-color {
    color: var(--_arrivals);
  }
  .pace-color {
    color: var(--_pace);
  }
  .concealed-color {
    color: var(--_concealed);
  }
  .trouble-color {
    color: var(--_trouble);
  }
  .line-color {
    color: var(--_line);
  }
  .surface-color {
    color: var(--_surface);
  }
  .muted-color {
    color: var(--_muted);
  }
  .palette {
    display: none;
    forced-color-adjust: none;
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
  }
`;
