import { html, type TemplateResult } from 'lit';
import { label } from './buttons.js';
import type { Texts } from './texts.js';

/** Values of the menu. */
const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** A speaker whose speed can be set. */
interface PacedSpeaker {
  playbackRate: number;
}

/** Returns a menu of speeds, with the part `speed` and the slot `speed-label`. Set its value after it is rendered. */
export function speedMenu(speaker: PacedSpeaker, texts: Texts): TemplateResult {
  const speeds = [...new Set([...SPEEDS, speaker.playbackRate])].toSorted((one, other) => one - other);
  const choose = ({ currentTarget }: Event): void => {
    speaker.playbackRate = Number((currentTarget as HTMLSelectElement).value);
  };
  return html`<label>
    ${label('speed', texts.get('speedLabel'))}
    <select part="speed" @change=${choose}>
      ${speeds.map((speed) => html`<option value=${speed}>${texts.number(speed)}×</option>`)}
    </select>
  </label>`;
}
