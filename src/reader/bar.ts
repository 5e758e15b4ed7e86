import { html, nothing, render, type TemplateResult } from 'lit';
import { errorMessage } from '../controls/error-message.js';
import { speedMenu } from '../controls/speed-menu.js';
import { ENGLISH, Texts } from '../controls/texts.js';
import type { SpeakerState, SvcSpeakerElement } from '../index.js';
import { barStyles } from './bar-styles.js';
import type { Reading } from './reading.js';

const ROUND_ARROW = 'M12.5 6.1v-2.6L8.6 6.7l3.9 3.2V7.7a4.9 4.9 0 1 1-5.4 5H5.6a6.5 6.5 0 1 0 6.9-6.6z';

/** Path of the play button's icon, by what the button does. */
const ICONS = { play: 'M9 6v12l9.5-6z', pause: 'M7.5 6h2v12h-2zm7 0h2v12h-2z', retry: ROUND_ARROW } as const;
const PREVIOUS = 'M7 6h1.8v5.2L17.5 6v12l-8.7-5.2V18H7z';
const NEXT = 'M17 6h-1.8v5.2L6.5 6v12l8.7-5.2V18H17z';

const ACTIVE: readonly SpeakerState[] = ['playing', 'buffering', 'connecting'];

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
    const isActive = reading !== null && canRead && ACTIVE.includes(speaker.state);
    const action = isActive ? 'pause' : canRead && speaker.state === 'error' ? 'retry' : 'play';
    return html`<style>
        ${barStyles}
      </style>
      <div part="bar" role="group" lang=${texts.get('lang')}>
        ${this.#step('previous', PREVIOUS, reading === null)}
        <button part="toggle" type="button" ?disabled=${!canRead} @click=${this.#toggle}>
          ${icon(ICONS[action])}
          <span class="hidden"><slot name="${action}-label">${texts.get(`${action}Label`)}</slot></span>
        </button>
        ${this.#step('next', NEXT, reading === null)}
        <span class="middle">${canRead ? this.#status(speaker) : nothing}</span>
        ${canRead ? speedMenu(speaker, texts) : nothing}
      </div>`;
  }

  #step(name: 'previous' | 'next', path: string, isOff: boolean): TemplateResult {
    return html`<button part=${name} type="button" ?disabled=${isOff} @click=${() => this.#reader[name]()}>
      ${icon(path)}
      <span class="hidden"><slot name="${name}-label">${this.#texts.get(`${name}Label`)}</slot></span>
    </button>`;
  }

  #status({ state, error, played }: SvcSpeakerElement): TemplateResult {
    const texts = this.#texts;
    if (error && state === 'error') {
      return html`<span part="status" role="alert">${texts.get(errorMessage(error, played.length > 0))}</span>`;
    }
    const { reading } = this.#reader;
    const name = reading ? STATUS[state] : 'ready';
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

/** Name of the message for each state of the speaker. */
const STATUS = {
  idle: 'ready',
  connecting: 'connecting',
  buffering: 'buffering',
  playing: 'speaking',
  paused: 'paused',
  blocked: 'blocked',
  ended: 'ready',
  error: 'error',
} as const satisfies Record<SpeakerState, string>;

function icon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}
