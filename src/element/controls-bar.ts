import { html, type TemplateResult } from 'lit';

/** What the controls show of a speaker. */
export type ControlsState = 'ready' | 'connecting' | 'buffering' | 'speaking' | 'paused' | 'blocked' | 'error';

/** What the button does: its label, unless the page has another one, and its icon. */
const actions = {
  play: ['Play', 'M9 6v12l9.5-6z'],
  pause: ['Pause', 'M7.5 6h2v12h-2zm7 0h2v12h-2z'],
  retry: ['Try again', 'M12.5 6.1v-2.6L8.6 6.7l3.9 3.2V7.7a4.9 4.9 0 1 1-5.4 5H5.6a6.5 6.5 0 1 0 6.9-6.6z'],
} as const;

/**
 * The controls as far as they are there from the beginning: a button that works, in a bar of the size that it will have.
 *
 * @param details - What `ControlDetails` renders beside the button, once it has been loaded.
 */
export function controlsBar(state: ControlsState, toggle: () => void, details: unknown): TemplateResult {
  const active = state === 'speaking' || state === 'buffering' || state === 'connecting';
  const action = active ? 'pause' : state === 'error' ? 'retry' : 'play';
  const [label, icon] = actions[action];
  return html`<div part="controls" class=${state}>
    <button part="toggle" type="button" @click=${toggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>
      <span class="hidden"><slot name="${action}-label">${label}</slot></span>
    </button>
    ${details}
  </div>`;
}
