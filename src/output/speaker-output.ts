import { SpeakerError } from '../base/speaker-error.js';
import type { PlaybackOutput } from '../playback/index.js';
import type { PlayoutEvent, Transport } from '../ring/index.js';
import { AudioOutput, type OutputWish } from './audio-output.js';
import type { PlayoutNode } from './playout-node.js';
import type { PlayoutSettings } from './playout-settings.js';

/** Options of the page for the audio graph. */
export interface OutputChoice extends OutputWish {
  readonly transport: Transport | 'auto';
  /** The page's own copy of the worklet file; empty for the built-in one. */
  readonly workletUrl: string;
}

/**
 * A speaker's share in an audio output, and its nodes there. Both may move to another output while it speaks.
 *
 * Main thread. Every promise rejects with a `SpeakerError` whose reason is `output-failed`.
 */
export class SpeakerOutput implements PlaybackOutput {
  readonly ready: Promise<void>;
  busy = false;
  readonly #choice: () => OutputChoice;
  readonly #settings: () => PlayoutSettings;
  readonly #onLost: () => void;
  readonly #onStill: (isStill: boolean) => void;
  readonly #life = new AbortController();
  #output: AudioOutput | undefined;
  #node: PlayoutNode | undefined;
  #pendingMoves = 0;
  /** Nodes are opened and moved one after the other. */
  #lastStep: Promise<unknown>;
  #capture: { readonly stream: MediaStream; node: AudioNode | undefined } | undefined;

  /**
   * Acquires a share in the output that the page requests; for a native context, before the constructor returns. The output
   * stands still until `unlock`.
   *
   * @param choice - Returns the page's current choice. Called when something is opened or moved.
   * @param settings - Returns the page's current settings.
   * @param onLost - Called when the output has stopped for good. `move` acquires another one.
   * @param onStill - Called with true when the output stands still although it should play, and with false when it goes
   *   on.
   */
  constructor(
    choice: () => OutputChoice,
    settings: () => PlayoutSettings,
    onLost: () => void,
    onStill: (isStill: boolean) => void,
  ) {
    this.#choice = choice;
    this.#settings = settings;
    this.#onLost = onLost;
    this.#onStill = onStill;
    this.ready = this.#open();
    this.#lastStep = this.ready;
  }

  get #context(): AudioContext | undefined {
    return this.#output?.context;
  }

  get backend(): string | undefined {
    return this.#output?.backend.name;
  }

  get sampleRate(): number | undefined {
    return this.#context?.sampleRate;
  }

  get currentTime(): number {
    return this.#context?.currentTime ?? 0;
  }

  get latency(): number {
    return this.#output?.latency ?? 0;
  }

  get playbackStats(): PlaybackOutput['playbackStats'] {
    return (this.#context as Partial<Pick<PlaybackOutput, 'playbackStats'>> | undefined)?.playbackStats;
  }

  async #open(): Promise<void> {
    try {
      const acquired = AudioOutput.acquire(this.#choice());
      const output = acquired instanceof Promise ? await acquired : acquired;
      this.#use(output);
      await output.ready;
      // Loads while the session is requested. If it fails, `openNode` rejects with the reason.
      output.prepare(this.#choice().workletUrl).catch(() => {});
    } catch (error) {
      this.close();
      throwOutputFailed(error);
    }
  }

  #use(output: AudioOutput): void {
    if (this.#life.signal.aborted) {
      output.release('closed');
      return;
    }
    this.#leave()?.release('moved');
    this.#output = output;
    output.onLost.add(this.#onLost);
    output.onStill.add(this.#onStill);
    this.#onStill(output.isStill);
    output.setBusy(this, this.busy);
    this.#feedCapture();
  }

  /** Stops using the output and returns it. The caller must release its share. */
  #leave(): AudioOutput | undefined {
    const output = this.#output;
    this.#output = undefined;
    output?.onLost.delete(this.#onLost);
    output?.onStill.delete(this.#onStill);
    output?.setBusy(this, false);
    return output;
  }

  get isAllowed(): boolean {
    return this.#output?.isAllowed ?? false;
  }

  async unlock(): Promise<boolean> {
    // Await only if necessary: a user gesture ends with the task.
    if (!this.#output || this.#pendingMoves > 0) await this.#lastStep;
    return (await this.#output?.unlock().catch(throwOutputFailed)) ?? false;
  }

  onUnlock(callback: () => void): void {
    const context = this.#context!;
    const check = (): void => {
      if (context.state !== 'running') return;
      context.removeEventListener('statechange', check);
      callback();
    };
    context.addEventListener('statechange', check, { signal: this.#life.signal });
    queueMicrotask(check);
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    this.#output?.setBusy(this, busy);
  }

  openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<PlayoutNode> {
    return this.#nextStep(async () => {
      const { workletUrl, transport } = this.#choice();
      const settings = this.#settings;
      this.#node = await this.#output!.openNode(workletUrl, { sampleRate, transport, settings, onEvent });
      this.#feedCapture();
      return this.#node;
    });
  }

  async move(onLeave: () => void): Promise<void> {
    this.#pendingMoves++;
    try {
      await this.#nextStep(() => this.#moveNow(onLeave));
    } catch (error) {
      // A later move uses the output that the page has chosen by then, so this failure does not matter.
      if (this.#pendingMoves === 1) throw error;
    } finally {
      this.#pendingMoves--;
    }
  }

  async #moveNow(onLeave: () => void): Promise<void> {
    const choice = this.#choice();
    const output = await AudioOutput.acquire(choice);
    // If nothing plays, it may stand still: the page may have suspended a context of its own.
    if (this.busy) output.resume();
    try {
      await output.ready;
      await output.prepare(choice.workletUrl);
      if (output !== this.#output) onLeave();
      await this.#node?.move(output);
    } catch (error) {
      output.release('moved');
      throw error;
    }
    this.#use(output);
  }

  #nextStep<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lastStep.then(step).catch(throwOutputFailed);
    this.#lastStep = done.catch(() => {});
    return done;
  }

  /** Returns the sound of this speaker as a stream with one track, which ends with `close`. */
  capture(): MediaStream {
    if (!this.#capture?.stream.active) {
      this.#capture = { stream: new MediaStream(), node: undefined };
      this.#feedCapture();
    }
    return this.#capture.stream;
  }

  #feedCapture(): void {
    const capture = this.#capture;
    const context = this.#context;
    if (!capture || !context) return;
    if (capture.node?.context !== context) {
      const node = context.createMediaStreamDestination();
      const { stream } = capture;
      for (const track of stream.getTracks()) stream.removeTrack(track);
      for (const track of node.stream.getTracks()) stream.addTrack(track);
      capture.node = node;
    }
    this.#node?.outputNode.connect(capture.node);
  }

  close(): void {
    this.#life.abort();
    for (const track of this.#capture?.stream.getTracks() ?? []) track.stop();
    const output = this.#leave();
    if (!output) return;
    // Wait until the node is silent: closing the context earlier would end the sound with a click.
    void Promise.resolve(this.#node?.close()).then(() => output.release('closed'));
  }
}

function throwOutputFailed(cause: unknown): never {
  throw SpeakerError.from(cause, 'output-failed');
}
