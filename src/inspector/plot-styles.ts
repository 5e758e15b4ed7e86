import { css } from 'lit';

/** Looks of the pictures, and of the figures above them. */
export const plotStyles = css`
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
  @container (min-width: 44rem) {
    canvas.buffer {
      height: 10rem;
    }
  }
`;
