import { html, nothing, svg, type TemplateResult } from 'lit';

/** What the controls show of a speaker. */
export type ControlsState = 'ready' | 'connecting' | 'buffering' | 'speaking' | 'paused' | 'blocked' | 'error';

const statusText: Record<ControlsState, string> = {
  ready: 'Ready',
  connecting: 'Connecting…',
  buffering: 'Buffering…',
  speaking: 'Speaking',
  paused: 'Paused',
  blocked: 'Press play to hear it',
  error: '',
};

const icons = {
  play: svg`<path d="M7 4.6v14.8c0 .9 1 1.4 1.7.9l11-7.4c.7-.4.7-1.4 0-1.8l-11-7.4C8 3.2 7 3.7 7 4.6z"/>`,
  pause: svg`<rect x="5.5" y="4" width="4.6" height="16" rx="1.4"/><rect x="13.9" y="4" width="4.6" height="16" rx="1.4"/>`,
  retry: svg`<path d="M12 5V1.8L6.6 6.4 12 11V7.6a4.9 4.9 0 1 1-4.9 4.9H4.5A7.5 7.5 0 1 0 12 5z"/>`,
};

/** What the controls need. */
export interface ControlsModel {
  state: ControlsState;
  /** The message of the error, if there is one. */
  error: string;
  /** 0 to 1. */
  volume: number;
  toggle(): void;
  setVolume(volume: number): void;
}

/** The controls: play/pause, level meter, status, volume. */
export function controls({ state, error, volume, toggle, setVolume }: ControlsModel): TemplateResult {
  const active = state === 'speaking' || state === 'buffering' || state === 'connecting';
  const icon = active ? 'pause' : state === 'error' ? 'retry' : 'play';
  const onVolume = (event: Event): void => setVolume(Number((event.currentTarget as HTMLInputElement).value));
  return html`<div part="controls" role="group">
    <button part="toggle" type="button" @click=${toggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true">${icons[icon]}</svg>
      <span class="hidden">
        ${
          active
            ? html`<slot name="pause-label">Pause</slot>`
            : state === 'error'
              ? html`<slot name="retry-label">Try again</slot>`
              : html`<slot name="play-label">Play</slot>`
        }
      </span>
    </button>
    <div class="middle">
      <span part="status" role=${state === 'error' ? 'alert' : nothing}>
        ${state === 'error' ? error : html`<slot name="${state}-status">${statusText[state]}</slot>`}
      </span>
      <div part="meter" aria-hidden="true"><span></span></div>
    </div>
    <label>
      <span class="hidden"><slot name="volume-label">Volume</slot></span>
      <input part="volume" type="range" min="0" max="1" step="0.05" .value=${String(volume)} @input=${onVolume} />
    </label>
  </div>`;
}
