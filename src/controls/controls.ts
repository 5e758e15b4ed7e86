import { nothing, type ReactiveController, type TemplateResult } from 'lit';
import type { SpeakerState } from '../playback/index.js';
import type { ControlDetails, ControlledSpeaker, Spoken } from './control-details.js';
import { controlsBar } from './controls-bar.js';

/** The speaker, as its controls see it. */
export interface ControlsHost extends ControlledSpeaker {
  readonly controls: boolean;
  readonly state: SpeakerState;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
}

/**
 * The controls of one speaker: a bar with a button from the beginning, and the rest once it has been loaded.
 *
 * Main thread.
 */
export class Controls implements ReactiveController {
  readonly #host: ControlsHost;
  readonly #spoken: () => Spoken | undefined;
  #details: ControlDetails | undefined;
  #loading: Promise<void> | undefined;

  /** @param spoken - Returns the utterance that is heard, or will be next. */
  constructor(host: ControlsHost, spoken: () => Spoken | undefined) {
    this.#host = host;
    this.#spoken = spoken;
    host.addController(this);
  }

  /** Resolves when everything is there that the controls draw. */
  get ready(): Promise<void> | undefined {
    return this.#loading;
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#host.controls) return nothing;
    // If the file is missing, as after the site was updated, the button still works.
    this.#loading ??= this.#load().catch((error: unknown) => reportError(error));
    const { state } = this.#host;
    return controlsBar(state, () => this.#toggle(), this.#details?.render(state, this.#spoken()));
  }

  hostUpdated(): void {
    this.#details?.updated();
  }

  /** The element is being moved to another document. */
  leaveDocument(): void {
    this.#details?.close();
  }

  /** The element has been moved to another document. */
  enterDocument(): void {
    this.#details?.dress();
  }

  async #load(): Promise<void> {
    const { ControlDetails } = await import('./control-details.js');
    this.#details = new ControlDetails(this.#host);
  }

  #toggle(): void {
    if (this.#host.paused)
      this.#host.play().catch(() => {}); // `error` and `blocked` report it.
    else this.#host.pause();
  }
}
