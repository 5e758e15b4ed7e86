import type { AudioBackend, AudioBackendName, AudioGraph, HostContext } from './audio-backend.js';
import { ContextUnlock } from './context-unlock.js';
import { latencyOf, tailMs } from './engine-quirks.js';
import { loadBackend } from './load-backend.js';
import type { ContextWatch, Linger, PlayoutNode, PlayoutNodeOptions } from './on-demand.js';

/** Milliseconds without speech after which the context is suspended. A suspended context uses no CPU. */
const IDLE_MS = 5000;

/** The output that a speaker requests. */
export interface OutputWish {
  readonly audioBackend: AudioBackendName | 'auto';
  /** The page's own context; null for a context that this package creates and shares. */
  readonly audioContext: HostContext | null;
  /** Device of a shared context; empty for the default device. */
  readonly sinkId: string;
}

/** The outputs that can be shared. The key is the page's context, or the backend and device. */
const outputs = new Map<unknown, AudioOutput>();

const onDemand = () => import('./on-demand.js');

/**
 * An AudioContext that speakers share: one at the device's rate for each backend and device, or one of the page's own.
 * Browsers allow few contexts, and each one costs a thread.
 *
 * Main thread. Created by the first `acquire`. After the last speaker releases it, it is kept for the next one (see
 * `Linger`). A context of the page is neither suspended nor closed.
 */
export class AudioOutput implements AudioGraph {
  /**
   * Acquires a share of an output. A native context is created before this returns. It plays once `resume` or `unlock` was
   * called: without a gesture, browsers warn about a context that is resumed, not about one that is created.
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
    if (output) {
      output.#linger?.stop();
    } else {
      // Use as few contexts as possible: close unused ones before creating another.
      for (const other of outputs.values()) if (other.#shares === 0) other.#end();
      output = new AudioOutput(backend, key, host as AudioContext | null, sinkId);
      outputs.set(key, output);
    }
    output.#shares++;
    output.#suspendWhenIdle();
    return output;
  }

  readonly context: AudioContext;
  readonly backend: AudioBackend;
  /** Resolves when the device is in use; rejects if it cannot be. Undefined for the default device. */
  readonly ready: Promise<void> | undefined;
  /**
   * Called when the context has stopped for good although it should play. The owner of each share should acquire
   * another output.
   */
  readonly onLost = new Set<() => void>();
  /** Called when `isStill` changes. */
  readonly onStill = new Set<(isStill: boolean) => void>();
  /** True if the context should play but is suspended or interrupted, or its clock does not advance. */
  isStill = false;
  readonly #key: unknown;
  readonly #isOurs: boolean;
  readonly #unlock: ContextUnlock;
  readonly #busy = new Set<object>();
  readonly #life = new AbortController();
  #shares = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  // Created by `prepare`; the second one only if the context is not the page's own.
  #watch: ContextWatch | undefined;
  #linger: Linger | undefined;

  private constructor(backend: AudioBackend, key: unknown, host: AudioContext | null, sinkId: string) {
    this.backend = backend;
    this.context = host ?? backend.createContext();
    this.#key = key;
    this.#isOurs = host === null;
    this.#unlock = new ContextUnlock(this.context);
    const { signal } = this.#life;
    this.context.addEventListener('statechange', this.#onStateChange, { signal });
    // The device was removed or does not work. In its own context, the page handles that.
    if (this.#isOurs) this.context.addEventListener('error', () => this.#lose(), { signal });
    if (sinkId) {
      this.ready = setSink(this.context, sinkId);
      // The next speaker tries again.
      this.ready.catch(() => this.#forget());
    }
  }

  /** Time from a sample's context time until it is heard, in seconds, 0 to 1. */
  get latency(): number {
    return latencyOf(this.context);
  }

  /**
   * Releases a share. A context without shares ends when its last sample has been heard. Exception: a prepared context
   * of this package lingers if its last speaker was closed.
   *
   * @param why - `moved`: the speaker has switched to another output.
   */
  release(why: 'closed' | 'moved'): void {
    if (--this.#shares > 0) return;
    this.#unlock.stopWaitingForGesture();
    if (why === 'closed' && this.#linger && outputs.get(this.#key) === this) {
      this.#linger.start();
    } else {
      this.#forget();
      setTimeout(() => this.#end(), tailMs(this.context));
    }
  }

  /** Idempotent. */
  #end(): void {
    this.#forget();
    clearTimeout(this.#idleTimer);
    this.#watch?.stop();
    this.#linger?.close();
    this.#unlock.stopWaitingForGesture();
    this.#life.abort();
    if (this.#isOurs && this.context.state !== 'closed') void this.context.close();
  }

  /** Makes `acquire` create another output from now on. */
  #forget(): void {
    if (outputs.get(this.#key) === this) outputs.delete(this.#key);
  }

  #lose(): void {
    this.#forget();
    if (this.#shares === 0) this.#end();
    for (const callback of this.onLost) callback();
  }

  /** True if the browser is known to allow sound, so that `unlock` waits only for the device. */
  get isAllowed(): boolean {
    return this.#unlock.isAllowed;
  }

  /** Asks the browser to run the context. Does not wait for it. */
  resume(): void {
    this.#unlock.resume();
  }

  /**
   * Starts the context.
   *
   * Quirk `safari-gesture-turn`: Safari runs a context only if it is resumed while the handler of the user's gesture
   * runs, not after an await. It has no test: WebKitGTK is not that strict.
   *
   * @returns False if the browser requires a gesture first. After the gesture, the context's state becomes `running`.
   * @throws {Error} If the page has closed its own context, or there is no sound device.
   */
  async unlock(): Promise<boolean> {
    try {
      if (this.context.state === 'closed') (await onDemand()).throwContextClosed();
      const isAllowed = await this.#unlock.unlock();
      if (this.#shares === 0) this.#unlock.stopWaitingForGesture();
      return isAllowed;
    } catch (error) {
      // The next speaker tries again.
      this.#forget();
      throw error;
    }
  }

  readonly #onStateChange = (): void => {
    const { state } = this.context;
    if (state === 'closed') {
      this.#lose();
    } else if (state === 'running') {
      this.#setStill(false);
      this.#unlock.contextRuns();
      this.#suspendWhenIdle();
    } else if (this.#busy.size > 0 && !this.#isOffline) {
      this.#setStill(true);
      if (!this.#isOurs) return;
      // The system has suspended it, for example for a phone call.
      this.#unlock.resume();
      this.#unlock.waitForGesture();
    }
  };

  /** True for an OfflineAudioContext, which the page itself starts. Its clock does not follow time. */
  get #isOffline(): boolean {
    return 'startRendering' in this.context;
  }

  #setStill(isStill: boolean): void {
    if (isStill === this.isStill) return;
    this.isStill = isStill;
    for (const callback of this.onStill) callback(isStill);
  }

  #clockChanged(isFrozen: boolean): void {
    // Another context of this package may work. That of the page is the page's choice.
    if (!this.#isOurs) this.#setStill(isFrozen || this.context.state !== 'running');
    else if (isFrozen) this.#lose();
  }

  /**
   * Keeps the context running while `user` is busy.
   *
   * @param user - Any object that identifies the speaker.
   */
  setBusy(user: object, busy: boolean): void {
    const wasIdle = this.#busy.size === 0;
    if (busy) this.#busy.add(user);
    else if (!this.#busy.delete(user)) return;
    if (this.#busy.size === 0) this.#watch?.stop();
    else if (wasIdle) this.#watch?.start();
    this.#suspendWhenIdle();
  }

  #suspendWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    if (this.#busy.size > 0 || !this.#isOurs) return;
    this.#idleTimer = setTimeout(() => {
      if (this.context.state === 'running') void this.context.suspend();
    }, IDLE_MS);
  }

  /**
   * Loads the dependencies of `openNode` ahead of time.
   *
   * @param workletUrl - The page's own copy of the worklet file; empty for the built-in one.
   * @throws {Error} If the page has closed its own context, or the file does not load.
   */
  async prepare(workletUrl: string): Promise<void> {
    const { ContextWatch, Linger, loadWorklet, throwContextClosed } = await onDemand();
    if (this.context.state === 'closed') throwContextClosed();
    if (!this.#watch && !this.#isOffline && this.#shares > 0) {
      this.#watch = new ContextWatch(this.context, (isFrozen) => this.#clockChanged(isFrozen));
      if (this.#busy.size > 0) this.#watch.start();
      if (this.#isOurs) this.#linger = new Linger(() => this.#end());
    }
    await loadWorklet(this.context, workletUrl);
  }

  /**
   * Creates the nodes of one speaker.
   *
   * @throws {Error} If the page has closed its own context, or the worklet file does not load.
   */
  async openNode(workletUrl: string, options: PlayoutNodeOptions): Promise<PlayoutNode> {
    const [{ PlayoutNode }] = await Promise.all([onDemand(), this.prepare(workletUrl)]);
    return new PlayoutNode(this, options);
  }
}

/** @throws {DOMException} NotFoundError or NotAllowedError from the browser. */
async function setSink(context: AudioContext, sinkId: string): Promise<void> {
  const { setSinkId } = context as { setSinkId?: (id: string) => Promise<void> };
  if (!setSinkId) return (await onDemand()).throwNoSinkId();
  await setSinkId.call(context, sinkId);
}
