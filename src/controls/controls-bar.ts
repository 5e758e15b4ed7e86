import { html, type TemplateResult } from 'lit';
import type { SpeakerState } from '../playback/index.js';

/** The names under which a page styles and labels the states of the controls. */
export const STATE_NAMES = {
  idle: 'ready',
  connecting: 'connecting',
  buffering: 'buffering',
  playing: 'speaking',
  paused: 'paused',
  blocked: 'blocked',
  ended: 'ready',
  error: 'error',
} as const satisfies Record<SpeakerState, string>;

/** Label of the button, unless the page has another one, and path of its icon. */
const actions = {
  play: ['Play', 'M9 6v12l9.5-6z'],
  pause: ['Pause', 'M7.5 6h2v12h-2zm7 0h2v12h-2z'],
  retry: ['Try again', 'M12.5 6.1v-2.6L8.6 6.7l3.9 3.2V7.7a4.9 4.9 0 1 1-5.4 5H5.6a6.5 6.5 0 1 0 6.9-6.6z'],
} as const;

/**
 * The controls as they are from the beginning: a button that works, in a bar of its final size.
 *
 * @param details - The part that `ControlDetails` renders beside the button, once it has been loaded.
 */
export function controlsBar(state: SpeakerState, toggle: () => void, details: unknown): TemplateResult {
  const isActive = state === 'playing' || state === 'buffering' || state === 'connecting';
  const action = isActive ? 'pause' : state === 'error' ? 'retry' : 'play';
  const [label, icon] = actions[action];
  return html`<div part="controls" class=${STATE_NAMES[state]}>
    <button part="toggle" type="button" @click=${toggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>
      <span class="hidden"><slot name="${action}-label">${label}</slot></span>
    </button>
    ${details}
  </div>`;
}
