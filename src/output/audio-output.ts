import { loadBackend, type AudioBackend, type AudioBackendName } from './audio-backend.js';
import { OutputError } from './output-error.js';
import type { LineOptions, PlayoutLine } from './playout-line.js';

/** Nobody has spoken for so long: the context is suspended, and costs nothing until the next word. */
const IDLE_MS = 5000;
/** A context that is allowed to play starts within tens of milliseconds; without a gesture so far, do not wait longer. */
const UNLOCK_MS = 150;
/** After a gesture the context is allowed to play: what takes long is the device. */
const START_MS = 5000;

/**
 * What a browser takes for a gesture of the user; which of them counts differs, so all are tried. Not `pointerdown`:
 * speech would be on before the click that goes with it, and a page's own button would take that for a pause.
 */
const GESTURES = ['touchend', 'keydown', 'click'] as const;

const outputs = new Map<AudioBackendName, AudioOutput>();

/**
 * The page's way out to the speaker: one AudioContext at the device's rate, shared by all who speak. Browsers allow
 * few contexts, and each costs a thread.
 *
 * Main thread. Made by the first `acquire`, closed by the last `release`.
 */
export class AudioOutput {
  /**
   * Takes a share in the page's output. A native context is made and resumed before this returns: Safari lets it run
   * only if that happens inside the user's gesture, not after an await.
   *
   * @throws {OutputError} If the page cannot play sound at all.
   */
  static acquire(wanted: AudioBackendName | 'auto'): AudioOutput | Promise<AudioOutput> {
    const backend = loadBackend(wanted);
    return backend instanceof Promise ? backend.then(AudioOutput.#share) : AudioOutput.#share(backend);
  }

  static #share(this: void, backend: AudioBackend): AudioOutput {
    let output = outputs.get(backend.name);
    if (!output) {
      output = new AudioOutput(backend);
      outputs.set(backend.name, output);
    }
    output.#shares++;
    return output;
  }

  readonly context: AudioContext;
  readonly backend: AudioBackend;
  #shares = 0;
  #busy = new Set<object>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** The processor's file is loaded once per context, the first one named: its name can be registered only once. */
  #worklet: Promise<void> | undefined;
  #waitsForGesture = false;

  private constructor(backend: AudioBackend) {
    this.backend = backend;
    this.context = backend.createContext();
    this.context.addEventListener('statechange', this.#onStateChange);
    this.#resume();
  }

  /** Gives a share back. The context is closed with the last one. */
  release(): void {
    if (--this.#shares > 0) return;
    outputs.delete(this.backend.name);
    clearTimeout(this.#idleTimer);
    this.#stopWaitingForGesture();
    this.context.removeEventListener('statechange', this.#onStateChange);
    if (this.context.state !== 'closed') void this.context.close();
  }

  /**
   * Seconds from a sample's context time until it is heard. 0 to 1: some engines report nonsense, Safari before 18.4
   * nothing.
   */
  get latency(): number {
    const latency = this.context.outputLatency ?? this.context.baseLatency ?? 0;
    return Number.isFinite(latency) ? Math.min(1, Math.max(0, latency)) : 0;
  }

  /**
   * Gets the context running.
   *
   * @returns False if the browser wants a gesture of the user first. From then on the output listens for one; a
   *   `statechange` of the context to `running` tells that it came.
   */
  async unlock(): Promise<boolean> {
    if (this.context.state === 'running') return true;
    this.#resume();
    const acted = navigator.userActivation?.hasBeenActive ?? false;
    if (await this.#runningWithin(acted ? START_MS : UNLOCK_MS)) return true;
    this.#waitForGesture();
    return false;
  }

  #runningWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.context.removeEventListener('statechange', check);
        resolve(this.context.state === 'running');
      };
      const check = (): void => {
        if (this.context.state === 'running' || this.context.state === 'closed') settle();
      };
      const timer = setTimeout(settle, ms);
      this.context.addEventListener('statechange', check);
      check();
    });
  }

  #waitForGesture(): void {
    if (this.#waitsForGesture) return;
    this.#waitsForGesture = true;
    for (const type of GESTURES) addEventListener(type, this.#onGesture, { capture: true, passive: true });
  }

  #stopWaitingForGesture(): void {
    this.#waitsForGesture = false;
    for (const type of GESTURES) removeEventListener(type, this.#onGesture, { capture: true });
  }

  /** The promise stays pending for as long as the browser refuses: what counts is the state. */
  #resume(): void {
    this.context.resume().catch(() => {});
  }

  readonly #onGesture = (): void => this.#resume();

  readonly #onStateChange = (): void => {
    if (this.context.state === 'running') this.#stopWaitingForGesture();
  };

  /**
   * Keeps the context running for `who`, or no longer. When nobody needs it for a while it is suspended.
   *
   * @param who - Any object that stands for the one who speaks.
   */
  setBusy(who: object, busy: boolean): void {
    if (busy) this.#busy.add(who);
    else if (!this.#busy.delete(who)) return;
    clearTimeout(this.#idleTimer);
    if (this.#busy.size > 0) return;
    this.#idleTimer = setTimeout(() => {
      if (this.context.state === 'running') void this.context.suspend();
    }, IDLE_MS);
  }

  /**
   * Loads what a line needs; at the latest `openLine` does.
   *
   * @param workletUrl - The page's copy of the worklet file, or empty for the built-in one.
   * @throws {OutputError} If the file does not load.
   */
  async prepare(workletUrl: string): Promise<void> {
    const { loadWorklet } = await import('./playout-line.js');
    this.#worklet ??= loadWorklet(this.context, workletUrl);
    const loading = this.#worklet;
    try {
      await loading;
    } catch (error) {
      if (this.#worklet === loading) this.#worklet = undefined;
      throw error;
    }
  }

  /**
   * Makes a line for one speaker.
   *
   * @throws {OutputError} If the worklet file does not load.
   */
  async openLine(workletUrl: string, options: LineOptions): Promise<PlayoutLine> {
    const [{ PlayoutLine }] = await Promise.all([import('./playout-line.js'), this.prepare(workletUrl)]);
    if (this.context.state === 'closed') throw new OutputError('The audio output was closed while it was opened.');
    return new PlayoutLine(this, options);
  }
}
