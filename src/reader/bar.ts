import { html, nothing, render, type TemplateResult } from 'lit';
import { ICONS, icon, label } from '../controls/buttons.js';
import { errorMessage } from '../controls/error-message.js';
import { speedMenu } from '../controls/speed-menu.js';
import { ENGLISH, STATES, Texts } from '../controls/texts.js';
import { adoptStyles } from '../element/styles.js';
import type { SvcSpeakerElement } from '../index.js';
import { barStyles } from './bar-styles.js';
import type { Reading } from './reading.js';

const PREVIOUS = 'M7 6h1.8v5.2L17.5 6v12l-8.7-5.2V18H7z';
const NEXT = 'M17 6h-1.8v5.2L6.5 6v12l8.7-5.2V18H17z';

/** Members of a reader that the bar shows and calls. */
interface BarReader {
  readonly speaker: SvcSpeakerElement | null;
  readonly target: Element | null;
  readonly reading: Reading | null;
  play(): Promise<void>;
  pause(): void;
  next(): void;
  previous(): void;
}

/** Draws the bar of a reader. Loaded when there is one. Main thread. */
export class Bar {
  readonly #reader: BarReader;
  readonly #root: ShadowRoot;
  #texts = ENGLISH;

  constructor(reader: BarReader, root: ShadowRoot) {
    this.#reader = reader;
    this.#root = root;
    adoptStyles(root, barStyles);
  }

  /** Draws the current state. */
  draw(): void {
    const { speaker } = this.#reader;
    const messages = speaker?.messages ?? null;
    if (this.#texts.messages !== messages) this.#texts = messages ? new Texts(messages) : ENGLISH;
    render(this.#template(speaker), this.#root);
    const speed = this.#root.querySelector('select');
    if (speed && speaker) speed.value = String(speaker.playbackRate);
  }

  #template(speaker: SvcSpeakerElement | null): TemplateResult {
    const texts = this.#texts;
    const { reading, target } = this.#reader;
    const canRead = speaker !== null && 'speak' in speaker && target !== null;
    const isActive = reading !== null && canRead && !speaker.paused;
    const action = isActive ? 'pause' : canRead && speaker.state === 'error' ? 'retry' : 'play';
    return html`<div part="bar" role="group" lang=${texts.get('lang')}>
      ${this.#step('previous', PREVIOUS, reading === null)}
      <button part="toggle" type="button" ?disabled=${!canRead} @click=${this.#toggle}>
        ${icon(ICONS[action])} ${label(action, texts.get(`${action}Label`))}
      </button>
      ${this.#step('next', NEXT, reading === null)}
      <span class="middle">${canRead ? this.#status(speaker) : nothing}</span>
      ${canRead ? speedMenu(speaker, texts) : nothing}
    </div>`;
  }

  #step(name: 'previous' | 'next', path: string, isOff: boolean): TemplateResult {
    return html`<button part=${name} type="button" ?disabled=${isOff} @click=${() => this.#reader[name]()}>
      ${icon(path)} ${label(name, this.#texts.get(`${name}Label`))}
    </button>`;
  }

  #status({ state, error, played }: SvcSpeakerElement): TemplateResult {
    const texts = this.#texts;
    if (error && state === 'error') {
      return html`<span part="status" role="alert">${texts.get(errorMessage(error, played.length > 0))}</span>`;
    }
    const { reading } = this.#reader;
    const name = reading ? STATES[state] : 'ready';
    const left = reading && texts.get('timeLeft').replace('{time}', texts.clock(reading.secondsLeft));
    return html`<span part="status">${texts.get(`${name}Status`)}</span>
      ${left ? html`<span part="time">${left}</span>` : nothing}`;
  }

  readonly #toggle = (): void => {
    const { reading, speaker } = this.#reader;
    if (reading && speaker && !speaker.paused) this.#reader.pause();
    else this.#reader.play().catch(() => {}); // The speaker's state shows it.
  };
}
