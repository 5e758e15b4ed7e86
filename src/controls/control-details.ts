import { adoptStyles, html, nothing, type ReactiveElement, svg, type TemplateResult } from 'lit';
import type { SpeakerState, Utterance } from '../playback/index.js';
import { captionPosition } from './caption-position.js';
import { STATE_NAMES } from './controls-bar.js';
import { detailStyles } from './detail-styles.js';
import { styles } from './styles.js';
import { Waveform } from './waveform.js';

const statusText: Record<SpeakerState, string> = {
  idle: 'Ready',
  connecting: 'Connecting…',
  buffering: 'Buffering…',
  playing: 'Speaking',
  paused: 'Paused',
  blocked: 'Press play',
  ended: 'Ready',
  error: 'Not spoken',
};

const loudness = svg`<path class="line" d="M14.5 8.8a4.6 4.6 0 0 1 0 6.4M17 6.3a8 8 0 0 1 0 11.4"/>`;
const silence = svg`<path class="line" d="M15 9.5l5 5m0-5l-5 5"/>`;

/** The members of a speaker that the controls show and set. */
export interface ControlledSpeaker extends ReactiveElement {
  readonly text: string;
  readonly error: Error | null;
  readonly currentTime: number;
  readonly duration: number;
  readonly buffered: TimeRanges;
  readonly playbackRate: number;
  readonly outputNode: AudioNode | null;
  volume: number;
  muted: boolean;
}

/** The utterance that is heard, or will be next. */
export interface Spoken {
  readonly utterance: Utterance;
  /** Its length; null while more of it may arrive. */
  readonly seconds: number | null;
}

/**
 * The controls beside the button: waveform, status, time, volume, the words, and the error.
 *
 * Loaded once a speaker has `controls`. Main thread.
 */
export class ControlDetails {
  readonly #speaker: ControlledSpeaker;
  #waveform: Waveform | undefined;
  #state: SpeakerState = 'idle';
  #spoken: Spoken | undefined;
  /** Words of the latest utterance. */
  #words = '';
  /** `currentTime` at the beginning of the utterance. */
  #beganAt = 0;

  constructor(speaker: ControlledSpeaker) {
    this.#speaker = speaker;
    this.dress();
  }

  /** Gives the speaker its style sheet, and draws it. Again after a move to another document. */
  dress(): void {
    const { ownerDocument, shadowRoot } = this.#speaker;
    this.#speaker.requestUpdate();
    if (ownerDocument === document) return adoptStyles(shadowRoot!, [styles, detailStyles]);
    const view = ownerDocument.defaultView;
    if (!view) return;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(detailStyles.cssText);
    shadowRoot!.adoptedStyleSheets.push(sheet);
  }

  render(state: SpeakerState, spoken: Spoken | undefined): TemplateResult {
    const { currentTime, duration, error, text } = this.#speaker;
    const volume = this.#volume;
    this.#state = state;
    if (spoken && spoken.utterance !== this.#spoken?.utterance) this.#beganAt = currentTime;
    this.#spoken = spoken;
    if (spoken) this.#words = spoken.utterance.text;
    else if (Number.isNaN(duration)) this.#words = '';
    const words = spoken ? this.#words : text || this.#words;
    return html`<div class="middle">
        <div part="meter" aria-hidden="true"><canvas></canvas></div>
        <div class="below">
          <span part="status"><slot name="${STATE_NAMES[state]}-status">${statusText[state]}</slot></span>
          ${this.#time()}
        </div>
      </div>
      <label part="loudness">
        <span class="hidden"><slot name="volume-label">Volume</slot></span>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4.5 9.8v4.4h2.4l3.6 3.1V6.7L6.9 9.8z" />
          ${volume > 0 ? loudness : silence}
        </svg>
        <input
          part="volume"
          type="range"
          min="0"
          max="1"
          step="0.05"
          aria-valuetext="${Math.round(volume * 100)}%"
          @input=${this.#onVolume}
        />
      </label>
      ${state === 'error' ? html`<p part="error" role="alert"><slot name="error">${error?.message}</slot></p>` : nothing}
      <div part="caption" ?hidden=${state === 'error' || !(words || this.#captionSlot?.assignedNodes().length)}>
        <slot name="caption" @slotchange=${() => this.#speaker.requestUpdate()}>${words}</slot>
      </div>`;
  }

  /** Updates the parts that are not in the template. Call it after each rendering. */
  updated(): void {
    const { currentTime, buffered, playbackRate, outputNode, renderRoot } = this.#speaker;
    const canvas = renderRoot.querySelector('canvas');
    if (!canvas) return this.close();
    // Not in the template: the user may have moved it since it was rendered.
    const slider = renderRoot.querySelector('input')!;
    slider.value = String(this.#volume);
    slider.style.setProperty('--_volume', String(this.#volume));

    if (this.#waveform?.canvas !== canvas) {
      this.#waveform?.close();
      this.#waveform = new Waveform(canvas);
    }
    const source = this.#state === 'playing' ? outputNode : null;
    this.#waveform.show({ source, currentTime, bufferedEnd: buffered.length && buffered.end(0), playbackRate });
    this.#moveCaption(renderRoot.querySelector<HTMLElement>('[part=caption]')!);
  }

  /** The controls are removed, or move to another document. Idempotent. */
  close(): void {
    this.#waveform?.close();
    this.#waveform = undefined;
  }

  #time(): TemplateResult | typeof nothing {
    const { currentTime, duration } = this.#speaker;
    if (Number.isNaN(duration) || this.#state === 'error') return nothing;
    const end = Number.isFinite(duration) ? html`<span> / ${minutes(duration)}</span>` : nothing;
    return html`<span part="time"><span>${minutes(currentTime)}</span>${end}</span>`;
  }

  get #volume(): number {
    return this.#speaker.muted ? 0 : this.#speaker.volume;
  }

  readonly #onVolume = ({ currentTarget }: Event): void => {
    this.#speaker.muted = false;
    this.#speaker.volume = (currentTarget as HTMLInputElement).valueAsNumber;
  };

  get #captionSlot(): HTMLSlotElement | null {
    return this.#speaker.renderRoot.querySelector<HTMLSlotElement>('slot[name=caption]');
  }

  /** Scrolls a long caption line by line as it is spoken. */
  #moveCaption(caption: HTMLElement): void {
    const heard = this.#speaker.currentTime - this.#beganAt;
    const position = this.#spoken ? captionPosition(heard, this.#spoken.seconds, this.#words.length) : 0;
    const { scrollHeight, clientHeight } = caption;
    const line = Number.parseFloat(getComputedStyle(caption).lineHeight);
    // The spoken words are on the upper line, which does not fade. Scroll late rather than early.
    const past = Math.floor((position * scrollHeight) / line - 0.5) * line;
    const top = Math.max(0, Math.min(past, scrollHeight - clientHeight));
    caption.scrollTop = top;
    caption.classList.toggle('more', scrollHeight - clientHeight - top >= line / 2);
  }
}

function minutes(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
