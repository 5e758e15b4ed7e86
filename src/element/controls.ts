import { html, nothing, svg, type TemplateResult } from 'lit';

/** What the controls show of a speaker. */
export type ControlsState = 'ready' | 'connecting' | 'buffering' | 'speaking' | 'paused' | 'blocked' | 'error';

const statusText: Record<ControlsState, string> = {
  ready: 'Ready',
  connecting: 'Connecting…',
  buffering: 'Buffering…',
  speaking: 'Speaking',
  paused: 'Paused',
  blocked: 'Press play',
  error: 'Not spoken',
};

/** What the button does: its icon, and its label unless the page has another one. */
const actions = {
  play: {
    label: 'Play',
    icon: svg`<path d="M8 5.2v13.6a.8.8 0 0 0 1.2.7l10.9-6.8a.8.8 0 0 0 0-1.4L9.2 4.5A.8.8 0 0 0 8 5.2z"/>`,
  },
  pause: {
    label: 'Pause',
    icon: svg`<rect x="6" y="4.5" width="4" height="15" rx="1"/><rect x="14" y="4.5" width="4" height="15" rx="1"/>`,
  },
  retry: {
    label: 'Try again',
    icon: svg`<path d="M12 5V1.8L6.6 6.4 12 11V7.6a4.9 4.9 0 1 1-4.9 4.9H4.5A7.5 7.5 0 1 0 12 5z"/>`,
  },
};

const loudness = svg`<path d="M14.5 8.8a4.6 4.6 0 0 1 0 6.4M17 6.3a8 8 0 0 1 0 11.4" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>`;

/** What the controls need. */
export interface ControlsModel {
  state: ControlsState;
  /** What went wrong, and what to do about it. Shown in state `error`. */
  error: string;
  /** 0 to 1. */
  volume: number;
  toggle(): void;
  setVolume(volume: number): void;
}

/** The controls: play/pause, level meter, status, volume. */
export function controls({ state, error, volume, toggle, setVolume }: ControlsModel): TemplateResult {
  const active = state === 'speaking' || state === 'buffering' || state === 'connecting';
  const action = active ? 'pause' : state === 'error' ? 'retry' : 'play';
  const { label, icon } = actions[action];
  const onVolume = (event: Event): void => setVolume((event.currentTarget as HTMLInputElement).valueAsNumber);
  return html`<div part="controls">
    <button part="toggle" type="button" @click=${toggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>
      <span class="hidden"><slot name="${action}-label">${label}</slot></span>
    </button>
    <div class="middle">
      <span part="status"><slot name="${state}-status">${statusText[state]}</slot></span>
      <div part="meter" aria-hidden="true"><span></span></div>
    </div>
    <label>
      <span class="hidden"><slot name="volume-label">Volume</slot></span>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3.5 9.3v5.4h3l4.2 3.7a.5.5 0 0 0 .8-.4V6a.5.5 0 0 0-.8-.4L6.5 9.3z" />
        ${volume > 0 ? loudness : nothing}
      </svg>
      <input
        part="volume"
        type="range"
        min="0"
        max="1"
        step="0.05"
        aria-valuetext="${Math.round(volume * 100)}%"
        @input=${onVolume}
      />
    </label>
    ${state === 'error' ? html`<p part="error" role="alert">${error}</p>` : nothing}
  </div>`;
}
