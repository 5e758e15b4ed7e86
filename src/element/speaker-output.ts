import { AudioOutput, type PlayoutSettings, type OutputWish, type PlayoutNode } from '../output/index.js';
import { type PlaybackOutput, SpeakerError } from '../playback/index.js';
import type { PlayoutEvent, Transport } from '../ring/index.js';

/** What the page chose for the audio graph. */
export interface OutputChoice extends OutputWish {
  readonly transport: Transport | 'auto';
  /** Empty for the built-in file. */
  readonly workletUrl: string;
}

/**
 * A speaker's share in the page's audio output, and its line through it; both may move to another output while it speaks.
 *
 * Main thread. Every promise rejects with a `SpeakerError`, `output-failed`, that says what to do.
 */
export class SpeakerOutput implements PlaybackOutput {
  readonly ready: Promise<void>;
  readonly #choice: () => OutputChoice;
  readonly #settings: () => PlayoutSettings;
  readonly #onLost: () => void;
  readonly #life = new AbortController();
  #output: AudioOutput | undefined;
  #line: PlayoutNode | undefined;
  #busy = false;
  /** Moves that have not ended. */
  #moves = 0;
  /** Lines are opened and moved one after the other. */
  #last: Promise<unknown>;
  #capture: { readonly stream: MediaStream; node: AudioNode | undefined } | undefined;

  /**
   * Takes the share; in a native context before this returns.
   *
   * @param choice - Is asked when something is opened.
   * @param settings - Is asked whenever they may have changed.
   * @param onLost - Called when nothing is heard any more, though it should be: it is time for `move`.
   */
  constructor(choice: () => OutputChoice, settings: () => PlayoutSettings, onLost: () => void) {
    this.#choice = choice;
    this.#settings = settings;
    this.#onLost = onLost;
    this.ready = this.#open();
    this.#last = this.ready;
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

  async #open(): Promise<void> {
    try {
      const acquired = AudioOutput.acquire(this.#choice());
      const output = acquired instanceof Promise ? await acquired : acquired;
      this.#take(output);
      await output.ready;
      // While the session is being asked for. If it fails, opening a line says why.
      output.prepare(this.#choice().workletUrl).catch(() => {});
    } catch (error) {
      this.close();
      refuse(error);
    }
  }

  #take(output: AudioOutput): void {
    if (this.#life.signal.aborted) {
      output.release();
      return;
    }
    this.#output?.onLost.delete(this.#onLost);
    this.#output?.setBusy(this, false);
    this.#output?.release();
    this.#output = output;
    output.onLost.add(this.#onLost);
    output.setBusy(this, this.#busy);
    this.#feedCapture();
  }

  async unlock(): Promise<boolean> {
    // Not before it must: a gesture is over after that.
    if (!this.#output || this.#moves > 0) await this.#last;
    return (await this.#output?.unlock().catch(refuse)) ?? false;
  }

  onUnlock(callback: () => void): void {
    const context = this.#context!;
    const check = (): void => {
      if (context.state !== 'running') return;
      context.removeEventListener('statechange', check);
      callback();
    };
    context.addEventListener('statechange', check, { signal: this.#life.signal });
    check();
  }

  setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#output?.setBusy(this, busy);
  }

  openNode(sampleRate: number, onEvent: (event: PlayoutEvent) => void): Promise<PlayoutNode> {
    return this.#next(async () => {
      const { workletUrl, transport } = this.#choice();
      const settings = this.#settings;
      this.#line = await this.#output!.openNode(workletUrl, { sampleRate, transport, settings, onEvent });
      this.#feedCapture();
      return this.#line;
    });
  }

  /** Takes a share in the output that the page wants now, and goes on there, if it is another one. */
  async move(): Promise<void> {
    this.#moves++;
    try {
      await this.#next(() => this.#change());
    } catch (error) {
      // Else there is another to come, by what the page wants now.
      if (this.#moves === 1) throw error;
    } finally {
      this.#moves--;
    }
  }

  async #change(): Promise<void> {
    const choice = this.#choice();
    const output = await AudioOutput.acquire(choice);
    try {
      await output.ready;
      await output.prepare(choice.workletUrl);
      await this.#line?.move(output);
    } catch (error) {
      output.release();
      throw error;
    }
    this.#take(output);
  }

  #next<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step).catch(refuse);
    this.#last = done.catch(() => {});
    return done;
  }

  /** What is heard of this speaker, as a stream with one track for as long as the speaker is not closed. */
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
    this.#line?.outputNode.connect(capture.node);
  }

  close(): void {
    this.#life.abort();
    for (const track of this.#capture?.stream.getTracks() ?? []) track.stop();
    const output = this.#output;
    if (!output) return;
    this.#output = undefined;
    output.onLost.delete(this.#onLost);
    output.setBusy(this, false);
    // Not before it is silent: a context that is closed breaks off what is heard, with a click.
    void Promise.resolve(this.#line?.close()).then(() => output.release());
  }
}

function refuse(cause: unknown): never {
  throw SpeakerError.from(cause, 'output-failed');
}
