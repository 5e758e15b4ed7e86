import { html, type TemplateResult } from 'lit';
import { label } from './buttons.js';
import type { Texts } from './texts.js';

/** Seconds by which each key moves the position. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowLeft: -5,
  PageUp: 10,
  PageDown: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The members of a speaker that the progress bar shows and sets. */
export interface SeekableSpeaker {
  readonly duration: number;
  readonly seekable: TimeRanges;
  currentTime: number;
}

/**
 * The progress bar: a slider over the speech that is kept.
 *
 * It seeks when the user releases it, because every seek is audible. Until then playback does not move the slider. Main
 * thread.
 */
export class ProgressBar {
  readonly #speaker: SeekableSpeaker;
  readonly #moved: () => void;
  #isHeld = false;
  /** The time to which the user has moved the slider, in seconds; undefined after the seek. */
  #chosen: number | undefined;

  /** @param moved - Called when the user has moved the slider, which changes `time`. */
  constructor(speaker: SeekableSpeaker, moved: () => void) {
    this.#speaker = speaker;
    this.#moved = moved;
  }

  /** The time that the slider shows, in seconds. */
  get time(): number {
    return this.#chosen ?? this.#speaker.currentTime;
  }

  template(texts: Texts): TemplateResult {
    return html`<label>
        ${label('progress', texts.get('progressLabel'))}
        <input
          part="progress"
          type="range"
          step="any"
          @pointerdown=${this.#hold}
          @input=${this.#choose}
          @change=${this.#seek}
          @keydown=${this.#pressKey} /></label
      ><span hidden><slot name="progress-value"></slot></span>`;
  }

  /** Updates what is not in the template: the user may have moved the slider since it was rendered. */
  update(root: ShadowRoot, texts: Texts): void {
    const slider = root.querySelector<HTMLInputElement>('[part=progress]')!;
    const { seekable } = this.#speaker;
    slider.disabled = seekable.length === 0;
    if (slider.disabled) this.#chosen = undefined;
    if (!this.#isHeld || slider.disabled) this.#follow(slider);
    const { min, max } = slider;
    const part = (seconds: number): string => String((seconds - Number(min)) / (Number(max) - Number(min)));
    slider.style.setProperty('--_value', part(slider.valueAsNumber));
    slider.style.setProperty('--_buffered', part(slider.disabled ? 0 : seekable.end(0)));
    setAttribute(slider, 'aria-valuetext', this.#valueText(root, texts));
  }

  #follow(slider: HTMLInputElement): void {
    const { duration, seekable } = this.#speaker;
    const [start, end] = slider.disabled ? [0, 1] : [seekable.start(0), seekable.end(0)];
    setAttribute(slider, 'min', String(start));
    setAttribute(slider, 'max', String(Number.isFinite(duration) && !slider.disabled ? Math.max(end, duration) : end));
    slider.value = String(slider.disabled ? 0 : this.time);
  }

  #valueText(root: ShadowRoot, texts: Texts): string {
    const { duration } = this.#speaker;
    const nodes = root.querySelector<HTMLSlotElement>('slot[name=progress-value]')!.assignedNodes();
    const own = nodes
      .map((node) => node.textContent)
      .join('')
      .trim();
    // The language of the page's own text is unknown, so it gets digits: words may be of another language.
    const written = (time: number): string => (own ? texts.clock(time) : texts.spokenTime(time));
    if (!Number.isFinite(duration)) return written(this.time);
    const text = own || texts.get('progressValue');
    return text.replace('{time}', written(this.time)).replace('{duration}', written(duration));
  }

  readonly #hold = ({ currentTarget }: Event): void => {
    this.#isHeld = true;
    const view = (currentTarget as HTMLElement).ownerDocument.defaultView!;
    const over = new AbortController();
    const release = ({ type }: Event): void => {
      over.abort();
      if (type === 'pointercancel') this.#chosen = undefined;
      // Runs after `change`, which does not fire if the slider is back where it was.
      view.setTimeout(() => {
        this.#isHeld = false;
        this.#seek();
      });
    };
    for (const type of ['pointerup', 'pointercancel']) {
      view.addEventListener(type, release, { signal: over.signal, capture: true });
    }
  };

  readonly #choose = ({ currentTarget }: Event): void => {
    this.#chosen = (currentTarget as HTMLInputElement).valueAsNumber;
    this.#moved();
  };

  readonly #seek = (): void => {
    if (this.#chosen !== undefined) this.#speaker.currentTime = this.#chosen;
    this.#chosen = undefined;
    this.#moved();
  };

  readonly #pressKey = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey } = event;
    const step = KEYS[key];
    if (step === undefined || altKey || ctrlKey || metaKey) return;
    event.preventDefault();
    const slider = event.currentTarget as HTMLInputElement;
    const isMirrored = getComputedStyle(slider).direction === 'rtl' && /Left|Right/.test(key);
    const { seekable, currentTime } = this.#speaker;
    const time = currentTime + (isMirrored ? -step : step);
    this.#speaker.currentTime = Math.max(seekable.start(0), Math.min(time, seekable.end(0)));
    this.#moved();
  };
}

/** Sets an attribute that has another value. Even with the same one, the browser would lay the slider out. */
function setAttribute(slider: HTMLInputElement, name: string, value: string): void {
  if (slider.getAttribute(name) !== value) slider.setAttribute(name, value);
}
