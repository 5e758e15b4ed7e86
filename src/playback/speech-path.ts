import { SpeakerError } from '../base/speaker-error.js';
import type { KeptPart, OpenedChannel, SeekTarget, SpeakerChannel } from '../connection/command.js';
import type { SpeakerReport } from '../connection/speaker-report.js';
import type { PlayoutEvent } from '../ring/index.js';
import type { LoadedPart, PlaybackHost, PlaybackNode, PlaybackOutput } from './ports.js';

/** The output has failed if it is lost more than this many times, each time within `LOSS_MS` of the last. */
const LOSSES = 3;
const LOSS_MS = 10_000;

/** The facts that a path reports. */
export interface PathFacts {
  /** Called for a report of the worker. Once the path is closed, only for `socket-close`. */
  reported(report: SpeakerReport): void;
  /** Called for an event of the audio thread, which is heard `delayMs` from now. */
  played(event: PlayoutEvent, delayMs: number): void;
  /** Sound should be playing but is not. Another output may work. */
  outputLost(): void;
  /** The output has begun to stand still, or goes on. */
  outputStill(isStill: boolean): void;
  /** The output requires a gesture before it continues. */
  outputBlocked(): void;
  outputFailed(error: SpeakerError): void;
  /** The page is going away, perhaps into the back/forward cache. */
  pageLeft(): void;
}

/**
 * The path of speech to the listener: a channel to the worker, a share of the page's output, and a node in its graph.
 *
 * Opens each of them once, when it is needed. After `close`, it reports only `socket-close`. Main thread.
 */
export class SpeechPath {
  /** True after the first `open`. */
  isOpened = false;
  readonly #host: PlaybackHost;
  readonly #facts: PathFacts;
  #channel: OpenedChannel | undefined;
  #output: PlaybackOutput | undefined;
  #node: PlaybackNode | undefined;
  #isClosed = false;
  #isPaused = false;
  /** The page's wish for sessions when the latest utterance was handed over; null before the first one. */
  #sessionWish: string | null = null;
  #losses = 0;
  #lostAtMs = 0;

  constructor(host: PlaybackHost, facts: PathFacts) {
    this.#host = host;
    this.#facts = facts;
  }

  get output(): PlaybackOutput | undefined {
    return this.#output;
  }

  get node(): PlaybackNode | undefined {
    return this.#node;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The channel to the worker. It may be used before the worker runs. */
  get channel(): SpeakerChannel | undefined {
    return this.#channel;
  }

  /**
   * Opens worker and output, and starts the output. Does not wait for the device if the browser is known to allow sound.
   *
   * @param part - The rest of the player. If it is loaded, the worker starts while the output is made, which takes the
   *   main thread 40 to 80 ms.
   * @returns False if the browser requires a gesture first.
   * @throws {SpeakerError} If one of them cannot be opened. If the worker or the device does not start later, the facts
   *   report it.
   */
  async open(part: LoadedPart | Promise<LoadedPart>): Promise<boolean> {
    this.isOpened = true;
    if (!(part instanceof Promise)) this.#openChannel(part);
    const outputOpen = this.#openOutput();
    const output = this.#output!;
    // Before any await (quirk `safari-gesture-turn`): Safari resumes a context only during the user's gesture.
    const unlocking = output.unlock();
    // If the rest of the player does not load, nothing awaits them.
    for (const promise of [outputOpen, unlocking]) promise.catch(() => {});
    this.#openChannel(await part);
    await outputOpen;
    if (this.#isClosed) return false;
    if (output.isAllowed) this.#watchUnlock(unlocking);
    else if (!(await unlocking)) return false;
    this.#watchStart(this.#channel);
    return true;
  }

  /**
   * Starts the worker and makes the output, ahead of `open`, which reports it if one of them fails. The output already runs
   * within a gesture of the user.
   */
  prepare(part: LoadedPart): void {
    this.#openChannel(part);
    this.#openOutput().catch(() => {});
    if (this.#output?.isAllowed) this.#output.unlock().catch(() => {});
  }

  #openChannel(part: LoadedPart): void {
    if (this.#channel || this.#isClosed) return;
    this.#channel = part.openChannel(
      (report) => {
        if (!this.#isClosed || report.type === 'socket-close') this.#facts.reported(report);
      },
      (event) => (event === 'left' ? this.#facts.pageLeft() : this.keepOpenChanged()),
    );
    this.keepOpenChanged();
    this.setHistory(this.#host.history);
  }

  /** Reports it if the worker does not start. The next `open` tries again. */
  #watchStart(channel: OpenedChannel | undefined): void {
    channel?.ready.catch((error: unknown) => {
      if (this.#isClosed || this.#channel !== channel) return;
      this.#channel = undefined;
      channel.close();
      this.#facts.outputFailed(SpeakerError.from(error, 'output-failed'));
    });
  }

  /** Reports it if the device does not start, or the browser requires a gesture after all. */
  #watchUnlock(unlocking: Promise<boolean>): void {
    unlocking.then(
      (isAllowed) => {
        if (!isAllowed && !this.#isClosed) this.#facts.outputBlocked();
      },
      (error: SpeakerError) => {
        if (!this.#isClosed) this.#facts.outputFailed(error);
      },
    );
  }

  readonly #openOutput = once(async () => {
    const output = this.#host.openOutput(
      () => this.#outputLost(),
      (isStill) => {
        if (!this.#isClosed) this.#facts.outputStill(isStill);
      },
    );
    this.#output = output;
    try {
      await output.ready;
    } catch (error) {
      this.#output = undefined;
      throw error;
    }
  });

  /** Passes the current `keepOpen` to the worker. It is false while the page is hidden. */
  keepOpenChanged(): void {
    this.#channel?.post({ type: 'keep-open', keepOpen: this.#host.keepOpen });
  }

  /** @param seconds - Length of received speech that the worker keeps for seeks. */
  setHistory(seconds: number): void {
    this.#channel?.post({ type: 'history', seconds });
  }

  /** Call before an utterance is handed to the worker: if the page wants another session, the open one does not speak it. */
  noteWish(serial: number): void {
    const { sessionWish } = this.#host;
    if (this.#sessionWish !== null && this.#sessionWish !== sessionWish) this.#channel?.post({ type: 'renew', serial });
    this.#sessionWish = sessionWish;
  }

  /** Opens a node for speech of `sampleRate` Hz, and connects the worker to it. Only after `open`. */
  async openNode(sampleRate: number): Promise<void> {
    const output = this.#output!;
    const node = await output.openNode(sampleRate, (event) => {
      if (!this.#isClosed) this.#facts.played(event, (event.at - output.currentTime + output.latency) * 1000);
    });
    if (this.#isClosed) {
      void node.close();
      return;
    }
    this.#node = node;
    node.update();
    node.setPaused(this.#isPaused);
    this.#channel?.post({ type: 'attach', ring: node.ring }, portOf(node));
  }

  /** Detaches the node from the worker and closes it. Samples wait in the worker until there is another node. */
  closeNode(): void {
    this.#channel?.post({ type: 'detach' });
    void this.#node?.close();
    this.#node = undefined;
  }

  /** Silences utterances in the worker and on the audio thread. @param serials - In the order of speech. */
  cancel(serials: readonly number[], kept?: KeptPart): void {
    this.#node?.cancel(serials);
    this.#channel?.post({ type: 'cancel', serials, ...(kept && { kept }) });
  }

  /** Plays from another place. The parameters are those of the worker's `seek` command. */
  seek(number: number, target: SeekTarget, only: boolean): void {
    const mark = this.#node?.seek() ?? 0;
    this.#channel?.post({ type: 'seek', number, mark, target, only });
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#node?.setPaused(isPaused);
  }

  /** @param isBusy - True if the output must run. */
  setBusy(isBusy: boolean): void {
    this.#output?.setBusy(isBusy);
  }

  /** Returns a MediaStream of the sound that is played. */
  capture(): unknown {
    this.#openOutput().catch(() => {}); // The next utterance reports the error.
    return this.#output?.capture();
  }

  /**
   * Opens the output that the page wants now, or moves to it.
   *
   * @param onLeave - Called when the node leaves its output: until it plays in the other one, nothing is heard.
   * @throws {SpeakerError} If the output cannot be opened.
   */
  async moveOutput(onLeave: () => void): Promise<void> {
    const output = this.#output;
    if (!output) return this.#openOutput();
    const before = this.#node?.ring;
    await output.move(() => {
      if (!this.#isClosed) onLeave();
    });
    if (this.#isClosed) return;
    const ring = this.#node?.ring;
    if (ring !== before && ring?.transport === 'message') this.#channel?.post({ type: 'reattach', ring }, [ring.port]);
    if (output.busy && !(await output.unlock()) && !this.#isClosed) this.#facts.outputBlocked();
  }

  #outputLost(): void {
    if (this.#isClosed) return;
    const now = this.#host.clock.now();
    this.#losses = now - this.#lostAtMs < LOSS_MS ? this.#losses + 1 : 1;
    this.#lostAtMs = now;
    if (this.#losses <= LOSSES) return this.#facts.outputLost();
    const message = 'The audio output plays nothing. Check the sound device, or reload.';
    this.#facts.outputFailed(new SpeakerError('output-failed', message));
  }

  /** Closes the socket at once, and the rest of the path. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#channel?.close();
    void this.#node?.close();
    this.#output?.close();
  }
}

function portOf({ ring }: PlaybackNode): unknown[] {
  return ring.transport === 'message' ? [ring.port] : [];
}

/** Returns a function that runs `work` once for all callers, and again only after a failure. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
