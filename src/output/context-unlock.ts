import { mayPlayWithoutGesture, mayResume } from './engine-quirks.js';

/**
 * Time after which a context counts as blocked if it is unknown whether it may play without a gesture. A context that
 * may play starts within tens of milliseconds.
 */
const BLOCKED_AFTER_MS = 120;
/** Time limit for a context that is known to be allowed to play. Only the device takes time then. */
const DEVICE_WITHIN_MS = 5000;

/**
 * Events that count as a user gesture. Browsers differ in which ones count, so all are used. `pointerdown` is left out:
 * speech would start before the `click` of the same press, and a page's own button would treat that click as a pause.
 */
const GESTURES = ['touchend', 'keydown', 'click'] as const;

/**
 * Starts a context on a page that may need a user gesture first.
 *
 * Quirk `pending-resume`: while a gesture is missing, the promise of `resume()` neither resolves nor rejects, in every
 * engine: https://github.com/WebAudio/web-audio-api/issues/1759 So the context's state is watched for a while.
 *
 * Quirk `firefox-silent-no-device`: in Firefox, a context also stays `suspended` if there is no sound device. The
 * device is assumed to be missing if a gesture did not help. It has no test: the test machines have a device.
 *
 * Main thread.
 */
export class ContextUnlock {
  readonly #context: AudioContext;
  /** Removes the gesture listeners. */
  #gestures: AbortController | undefined;
  /** Time of the first `resume` since the context last ran, from `performance.now()`; 0 if there was none. */
  #askedAt = 0;
  /** True if there was a gesture and the context has not run since. */
  #gestureFailed = false;

  constructor(context: AudioContext) {
    this.#context = context;
  }

  /**
   * Asks the browser to run the context, unless the system has interrupted it (quirk `webkit-interrupted`). Call it
   * within a gesture if there is one (quirk `safari-gesture-turn`).
   *
   * Quirk `webkitgtk-resume-hang`: in WebKitGTK, `resume()` of a running context now and then hangs the page for ever:
   * it waits for the render thread, which waits for the page. It has no test: the hang depends on the moment.
   */
  resume(): void {
    this.#askedAt ||= performance.now();
    if (!mayResume(this.#context)) return;
    this.#context.resume().catch(() => {});
  }

  /** True if the context runs, or the browser is known to allow it within the user's present gesture. */
  get isAllowed(): boolean {
    return this.#isStarted || (mayResume(this.#context) && (navigator.userActivation?.isActive ?? false));
  }

  get #isStarted(): boolean {
    // The page itself starts an OfflineAudioContext.
    return this.#context.state === 'running' || 'startRendering' in this.#context;
  }

  /**
   * Starts the context.
   *
   * @returns False if the browser requires a gesture first. Then the context starts at the next gesture, and its state
   *   becomes `running`.
   * @throws {Error} If a gesture did not help: there is no sound device.
   */
  async unlock(): Promise<boolean> {
    if (this.#isStarted) return true;
    this.resume();
    const isAllowed = navigator.userActivation?.hasBeenActive || mayPlayWithoutGesture();
    // The time since the first `resume` counts, which is usually the time since the context was created.
    const limit = isAllowed ? DEVICE_WITHIN_MS : this.#askedAt + BLOCKED_AFTER_MS - performance.now();
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

  /** Must be called when the context's state has become `running`. */
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
      // Two timers, because the page may be blocked for the whole limit. The context's event is then handled between them.
      let timer = setTimeout(() => (timer = setTimeout(settle, ms)));
      context.addEventListener('statechange', check);
      check();
    });
  }

  readonly #onGesture = (): void => {
    this.#gestureFailed = mayResume(this.#context) && (navigator.userActivation?.isActive ?? false);
    this.resume();
  };
}
