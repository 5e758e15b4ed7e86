import { mayPlayWithoutGesture } from './engine-quirks.js';

/** A context that may play without a gesture runs within tens of milliseconds. */
const ALLOWED_WITHIN_MS = 120;
/** After a gesture only the device takes time. */
const DEVICE_WITHIN_MS = 5000;

/**
 * Events that count as a gesture of the user. Which of them do differs between browsers, so all are used. Not `pointerdown`:
 * speech would start before the `click` of the same press, and a page's own button would take that click for a pause.
 */
const GESTURES = ['touchend', 'keydown', 'click'] as const;

/**
 * Gets a context running on a page that may need a gesture of the user first.
 *
 * Quirk `pending-resume`: while a gesture is missing, the promise of `resume()` neither resolves nor rejects, in every
 * engine: https://github.com/WebAudio/web-audio-api/issues/1759 So the context's state is watched for a while.
 *
 * Quirk `firefox-silent-no-device`: without a sound device, too, a context of Firefox stays `suspended`. The device is missing
 * if a gesture did not help. It has no test: the test machines have a device.
 *
 * Main thread.
 */
export class ContextUnlock {
  readonly #context: AudioContext;
  /** Ends the listening for gestures. */
  #gestures: AbortController | undefined;
  /** When `resume` was first called since the context ran, by `performance.now()`; 0 if it was not. */
  #askedAt = 0;
  /** A gesture came, and the context does not run since. */
  #gestureFailed = false;

  constructor(context: AudioContext) {
    this.#context = context;
  }

  /** Asks the browser to run the context. Call it within a gesture if there is one (quirk `safari-gesture-turn`). */
  resume(): void {
    if (this.#context.state !== 'running') this.#askedAt ||= performance.now();
    this.#context.resume().catch(() => {});
  }

  /**
   * Gets the context running.
   *
   * @returns False if the browser wants a gesture first. From then on gestures are listened for, and the context's state
   *   becomes `running` after the first one.
   * @throws {Error} If a gesture did not help: there is no sound device.
   */
  async unlock(): Promise<boolean> {
    // An OfflineAudioContext runs when the page starts it.
    if (this.#context.state === 'running' || 'startRendering' in this.#context) return true;
    this.resume();
    const isAllowed = navigator.userActivation?.hasBeenActive || mayPlayWithoutGesture();
    // The context was resumed when it was made, while everything else was being opened.
    const limit = isAllowed ? DEVICE_WITHIN_MS : this.#askedAt + ALLOWED_WITHIN_MS - performance.now();
    if (await this.#runsWithin(limit)) return true;
    this.#askedAt = 0;
    if (this.#gestureFailed) (await import('./on-demand.js')).throwNoDevice();
    this.waitForGesture();
    return false;
  }

  /** Resumes the context at each gesture until it runs. */
  waitForGesture(): void {
    if (this.#gestures) return;
    this.#gestures = new AbortController();
    const options = { capture: true, passive: true, signal: this.#gestures.signal };
    for (const type of GESTURES) addEventListener(type, this.#onGesture, options);
  }

  stopWaitingForGesture(): void {
    this.#gestures?.abort();
    this.#gestures = undefined;
  }

  /** To be called when the context's state has become `running`. */
  contextRuns(): void {
    this.#gestureFailed = false;
    this.#askedAt = 0;
    this.stopWaitingForGesture();
  }

  #runsWithin(ms: number): Promise<boolean> {
    const context = this.#context;
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        context.removeEventListener('statechange', check);
        resolve(context.state === 'running');
      };
      const check = (): void => {
        if (context.state === 'running' || context.state === 'closed') settle();
      };
      const timer = setTimeout(settle, ms);
      context.addEventListener('statechange', check);
      check();
    });
  }

  readonly #onGesture = (): void => {
    this.#gestureFailed = navigator.userActivation?.isActive ?? false;
    this.resume();
  };
}
