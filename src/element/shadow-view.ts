import type { ControlledPlayback, ControlledSpeaker, Controls } from '../controls/controls.js';
import { adoptStyles, styles } from './styles.js';

/**
 * The shadow tree of one speaker: its style sheets and, once it has had `controls`, the controls, whose file is loaded
 * then. Main thread.
 */
export class ShadowView {
  readonly #speaker: ControlledSpeaker & HTMLElement & { readonly controls: boolean };
  readonly #playback: ControlledPlayback;
  readonly #root: ShadowRoot;
  #controls: Controls | undefined;
  #drawing: Promise<void> | undefined;

  constructor(speaker: ControlledSpeaker & HTMLElement & { readonly controls: boolean }, playback: ControlledPlayback) {
    this.#speaker = speaker;
    this.#playback = playback;
    this.#root = speaker.attachShadow({ mode: 'open' });
    this.#adoptStyles();
  }

  /** Resolves once the controls show the current state. */
  get complete(): Promise<void> {
    return this.#drawing ?? Promise.resolve();
  }

  /** Draws the controls in a microtask, once for all changes up to then. */
  draw(): void {
    const { isConnected, controls } = this.#speaker;
    if (isConnected && (controls || this.#controls)) this.#drawing ??= this.#drawControls();
  }

  /** Call it when the speaker is removed. */
  stopDrawing(): void {
    this.#controls?.stopDrawing();
  }

  /** Call it when the speaker is in another document. */
  adopted(): void {
    this.#adoptStyles();
    this.stopDrawing();
    this.draw();
  }

  #adoptStyles(): void {
    adoptStyles(this.#root, styles, ...(this.#controls ? [this.#controls.styles] : []));
  }

  async #drawControls(): Promise<void> {
    await Promise.resolve();
    try {
      if (!this.#controls) {
        const { Controls } = await import('../controls/controls.js');
        this.#controls = new Controls(this.#speaker, this.#root, this.#playback);
        this.#adoptStyles();
      }
      this.#drawing = undefined;
      this.#controls.draw(this.#speaker.controls);
    } catch (error) {
      // Do not try again: the file may be gone, for example after an update of the site. The element works without
      // controls.
      globalThis.reportError?.(error);
    }
  }
}
