import { loadBackend, type AudioBackend, type AudioBackendName, type HostContext } from './audio-backend.js';
import type { ContextWatch, PlayoutNodeOptions, PlayoutNode } from './on-demand.js';

/** Nobody has spoken for so long: the context is suspended, and costs nothing until the next word. */
const IDLE_MS = 5000;
/** A context that is allowed to play starts within tens of milliseconds; without a gesture so far, do not wait longer. */
const UNLOCK_MS = 120;
/** After a gesture, or where the browser says so, the context is allowed to play: what takes long is the device. */
const START_MS = 5000;

/** Of what a context has rendered, more is on its way than some engines say; one that is closed breaks that off. */
const TAIL_MS = 100;

/** Seconds until sound is heard, measured with PulseAudio, where the browser cannot be asked: see `latency`. */
const FIREFOX_LATENCY = 0.03;
const WEBKITGTK_LATENCY = 0.06;

/**
 * What a browser takes for a gesture of the user; which of them counts differs, so all are tried. Not `pointerdown`:
 * speech would be on before the click that goes with it, and a page's own button would take that for a pause.
 */
const GESTURES = ['touchend', 'keydown', 'click'] as const;

/** Which output a speaker is to be heard from. */
export interface OutputWish {
  readonly audioBackend: AudioBackendName | 'auto';
  /** The page's own; null for one of ours. */
  readonly audioContext: HostContext | null;
  /** Device for one of ours; empty for the default. */
  readonly sinkId: string;
}

interface AutoplayNavigator extends Navigator {
  getAutoplayPolicy?(type: 'audiocontext'): 'allowed' | 'allowed-muted' | 'disallowed';
}

/** Those in use, by the page's context, or by what makes ours differ. */
const outputs = new Map<unknown, AudioOutput>();

const onDemand = () => import('./on-demand.js');

/**
 * A way out to the listener that the page's speakers share: one AudioContext at the device's rate for each device and
 * backend, or one of the page's own. Browsers allow few contexts, and each costs a thread.
 *
 * Main thread. Made by the first `acquire`, closed by the last `release`; the page's own context is neither suspended nor
 * closed.
 */
export class AudioOutput {
  /**
   * Takes a share in an output. A native context is made and resumed before this returns: Safari lets it run only if
   * that happens inside the user's gesture, not after an await.
   *
   * @throws {Error} If the page cannot play sound at all.
   */
  static acquire(wish: OutputWish): AudioOutput | Promise<AudioOutput> {
    const backend = loadBackend(wish.audioBackend, wish.audioContext);
    const share = (loaded: AudioBackend): AudioOutput => AudioOutput.#share(loaded, wish);
    return backend instanceof Promise ? backend.then(share) : share(backend);
  }

  static #share(this: void, backend: AudioBackend, { audioContext, sinkId }: OutputWish): AudioOutput {
    const host = audioContext && 'rawContext' in audioContext ? audioContext.rawContext : audioContext;
    const key = host ?? `${backend.name} ${sinkId}`;
    let output = outputs.get(key);
    if (!output) {
      output = new AudioOutput(backend, key, host as AudioContext | null, sinkId);
      outputs.set(key, output);
    }
    output.#shares++;
    return output;
  }

  readonly context: AudioContext;
  readonly backend: AudioBackend;
  /** Rejects if the device cannot be had. */
  readonly ready: Promise<void> | undefined;
  /** Called when the context plays nothing any more, though it should: whoever has a share should take another one. */
  readonly onLost = new Set<() => void>();
  readonly #key: unknown;
  readonly #isOurs: boolean;
  #shares = 0;
  #busy = new Set<object>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #watch: ContextWatch | undefined;
  #waitsForGesture = false;
  /** Since when the context has been asked to run, and does not; 0 while nobody has asked. */
  #askedAt = 0;
  /** A gesture came, and has not got the context running so far. */
  #gestureFailed = false;

  private constructor(backend: AudioBackend, key: unknown, host: AudioContext | null, sinkId: string) {
    this.backend = backend;
    this.context = host ?? backend.createContext();
    this.#key = key;
    this.#isOurs = host === null;
    this.ready = sinkId ? setSink(this.context, sinkId) : undefined;
    this.context.addEventListener('statechange', this.#onStateChange);
    this.context.addEventListener('error', this.#onError);
    this.#resume();
  }

  /** Gives a share back. With the last one the context is closed, when what it has rendered has been heard. */
  release(): void {
    if (--this.#shares > 0) return;
    this.#forget();
    setTimeout(() => this.#end(), 1000 * this.latency + TAIL_MS);
  }

  #end(): void {
    clearTimeout(this.#idleTimer);
    this.#watch?.stop();
    this.#stopWaitingForGesture();
    this.context.removeEventListener('statechange', this.#onStateChange);
    this.context.removeEventListener('error', this.#onError);
    if (this.#isOurs && this.context.state !== 'closed') void this.context.close();
  }

  /** Whoever asks from now on gets another context. */
  #forget(): void {
    if (outputs.get(this.#key) === this) outputs.delete(this.#key);
  }

  #lose(): void {
    this.#forget();
    for (const callback of this.onLost) callback();
  }

  /**
   * Seconds from a sample's context time until it is heard. 0 to 1: some engines report nonsense, Safari before 18.4
   * nothing.
   */
  get latency(): number {
    // Firefox on Linux may hang for good when this is read while a worklet is at work: the audio thread and the page then
    // wait for each other.
    if (/Linux.*Firefox/.test(navigator.userAgent)) return FIREFOX_LATENCY;
    const { outputLatency, baseLatency } = this.context;
    if (outputLatency === 0) return WEBKITGTK_LATENCY;
    return Math.min(1, Math.max(0, outputLatency ?? baseLatency)) || 0;
  }

  /**
   * Gets the context running.
   *
   * @throws {Error} If it is closed, by the page whose own it is.
   * @returns False if the browser wants a gesture of the user first. From then on the output listens for one; a
   *   `statechange` of the context to `running` tells that it came.
   * @throws {Error} If not even a gesture has helped: there is no device. Firefox tells no more of it than of a refusal.
   */
  async unlock(): Promise<boolean> {
    this.#refuseClosed();
    // One that renders offline runs when the page says so.
    if (this.context.state === 'running' || 'startRendering' in this.context) return true;
    this.#resume();
    // Firefox says whether it lets us; with the others there is but the gesture.
    const browser: AutoplayNavigator = navigator;
    const allowed = browser.userActivation?.hasBeenActive || browser.getAutoplayPolicy?.('audiocontext') === 'allowed';
    // It was asked when it was made, and everything else has been opened since.
    const rest = this.#askedAt + UNLOCK_MS - performance.now();
    if (await this.#runningWithin(allowed ? START_MS : rest)) return true;
    this.#askedAt = 0;
    if (this.#gestureFailed) (await onDemand()).noDevice();
    this.#waitForGesture();
    return false;
  }

  #refuseClosed(): void {
    if (this.context.state !== 'closed') return;
    throw new Error('The AudioContext is closed: set audioContext to another, or to null.');
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
    this.#askedAt ||= performance.now();
    this.context.resume().catch(() => {});
  }

  readonly #onGesture = (): void => {
    this.#gestureFailed = navigator.userActivation?.isActive ?? false;
    this.#resume();
  };

  readonly #onStateChange = (): void => {
    const { state } = this.context;
    if (state === 'running') {
      this.#gestureFailed = false;
      this.#askedAt = 0;
      this.#stopWaitingForGesture();
    } else if (state === 'closed') {
      this.#lose();
    } else if (this.#busy.size > 0 && this.#isOurs) {
      // By the system, such as for a call. WebKit's clock stands still if it is resumed before `interrupted` is over.
      if (state === 'suspended') this.#resume();
      this.#waitForGesture();
    }
  };

  /** The device is gone, or does not work. What becomes of the page's own context is the page's business. */
  readonly #onError = (): void => {
    if (this.#isOurs) this.#lose();
  };

  /**
   * Keeps the context running for `who`, or no longer. When nobody needs it for a while it is suspended.
   *
   * @param who - Any object that stands for the one who speaks.
   */
  setBusy(who: object, busy: boolean): void {
    const before = this.#busy.size;
    if (busy) this.#busy.add(who);
    else if (!this.#busy.delete(who)) return;
    clearTimeout(this.#idleTimer);
    if (this.#busy.size > 0) {
      if (before === 0) this.#watch?.start();
      return;
    }
    this.#watch?.stop();
    this.#idleTimer = setTimeout(() => {
      if (this.#isOurs && this.context.state === 'running') void this.context.suspend();
    }, IDLE_MS);
  }

  /**
   * Loads what a line needs; at the latest `openNode` does.
   *
   * @param workletUrl - The page's copy of the worklet file, or empty for the built-in one.
   * @throws {Error} If the file does not load.
   */
  async prepare(workletUrl: string): Promise<void> {
    const { ContextWatch, loadWorklet } = await onDemand();
    this.#refuseClosed();
    if (!this.#watch && this.#isOurs) {
      this.#watch = new ContextWatch(this.context, () => this.#lose());
      if (this.#busy.size > 0) this.#watch.start();
    }
    await loadWorklet(this.context, workletUrl);
  }

  /**
   * Makes a line for one speaker.
   *
   * @throws {Error} If the worklet file does not load.
   */
  async openNode(workletUrl: string, options: PlayoutNodeOptions): Promise<PlayoutNode> {
    const [{ PlayoutNode }] = await Promise.all([onDemand(), this.prepare(workletUrl)]);
    return new PlayoutNode(this, options);
  }
}

/** @throws {DOMException} NotFoundError or NotAllowedError, as the browser has it. */
async function setSink(context: AudioContext, sinkId: string): Promise<void> {
  const { setSinkId } = context as { setSinkId?: (id: string) => Promise<void> };
  if (!setSinkId) throw new DOMException('This backend cannot choose a device.', 'NotSupportedError');
  await setSinkId.call(context, sinkId);
}
