import { css } from 'lit';

/** Looks of the buttons. */
export const toolbarStyles = css`
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
  @container (max-width: 24rem) {
    button {
      padding: 0 0.5rem;
    }
  }
`;
