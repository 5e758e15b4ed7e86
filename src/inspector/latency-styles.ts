import { css } from 'lit';

/** Looks of the bars of delays. */
export const latencyStyles = css`
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
  @container (min-width: 44rem) {
    [part='latency'] {
      grid-template-columns: 1fr 1fr;
    }
  }
  @container (max-width: 24rem) {
    .how {
      display: none;
    }
    dl {
      grid-template-columns: 1fr auto;
    }
  }
`;
