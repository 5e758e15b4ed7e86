import type { SpeakerReport } from '../connection/command.js';
import type { PlayoutEvent } from '../ring/index.js';
import type {
  PlayableSession,
  PlaybackHost,
  PlaybackNode,
  PlaybackOutput,
  SessionChannel,
  SessionReason,
} from './ports.js';
import { SpeakerError } from './speaker-error.js';
import type { UtteranceRecord } from './utterance.js';

/** Tries with a fresh session after a socket failed before any audio came. */
const RETRIES = 3;

/** An output that is lost as often as this, each time within so long of the last, is not looked for again. */
const LOSSES = 3;
const LOSS_MS = 10_000;

/** The token of a session lives about 30 s: one that has waited for longer than this is not worth a try. */
const STALE_MS = 10_000;

/** Who hears from a pipeline. */
export interface PipelineListener {
  /** From the session worker. @param late - The pipeline is closed; only `socket-close` still comes. */
  report(report: SpeakerReport, late: boolean): void;
  /** From the audio thread; it is heard `delayMs` from now. */
  event(event: PlayoutEvent, delayMs: number): void;
  /** Why utterance `serial` needs a session; null if it is not wanted any more. */
  reason(serial: number): SessionReason | null;
  /**
   * A session has come for utterance `serial`. Returns it as it is to be used, or put aside: then the utterances were
   * arranged anew, and one of them will ask for it.
   */
  session(session: PlayableSession, serial: number, retry: boolean): { session: PlayableSession; aside: boolean };
  /** Settles when everything before utterance `serial` has been heard, or will not be. */
  heardBefore(serial: number): Promise<unknown>;
  /** No session could be had for utterance `serial`. */
  sessionFailed(error: SpeakerError, serial: number): void;
  /** Nothing can be played. */
  outputFailed(error: SpeakerError): void;
  /** Another line is in use, or none. */
  lineChanged(line: PlaybackNode | undefined, output: PlaybackOutput | undefined): void;
  /** The line is moving to another output: no sound leaves until it says so. */
  lineMoves(): void;
  /** The page goes away, maybe to come back: a socket would be paid for while nobody is there. */
  close(): void;
  /** The output wants a gesture before it goes on. */
  outputBlocked(pipeline: Pipeline): void;
}

/**
 * Opens what a speaker needs, when it needs it: its channel to the session worker, its share of the output, a session,
 * and a line through the output at that session's rate.
 *
 * Main thread. Made for one life of a speaker: after `close` nothing comes of it any more, but for the `socket-close`.
 */
export class Pipeline {
  readonly #host: PlaybackHost;
  readonly #listener: PipelineListener;
  readonly #life = new AbortController();
  #channel: SessionChannel | undefined;
  #output: PlaybackOutput | undefined;
  #line: PlaybackNode | undefined;
  /** What the line that is open or being opened was made for. */
  #lineFor: string | undefined;
  #lineOpening: Promise<void> | undefined;
  #request: AbortController | undefined;
  /** A session that was asked for before the worker did, and since when (ms). */
  #early: { session: Promise<PlayableSession>; request: AbortController; since: number } | undefined;
  #aside: PlayableSession | undefined;
  #busy = false;
  #paused = false;
  #losses = 0;
  #lostAt = 0;

  constructor(host: PlaybackHost, listener: PipelineListener) {
    this.#host = host;
    this.#listener = listener;
  }

  get output(): PlaybackOutput | undefined {
    return this.#output;
  }

  get line(): PlaybackNode | undefined {
    return this.#line;
  }

  get closed(): boolean {
    return this.#life.signal.aborted;
  }

  /**
   * Opens worker and output, and gets the output running.
   *
   * @param reason - Why a session will be needed, if one will be: it is asked for meanwhile.
   * @returns False if the browser wants a gesture first.
   * @throws {SpeakerError} If one of them cannot be had.
   */
  async start(reason?: SessionReason): Promise<boolean> {
    // Before anything is awaited: Safari resumes a context only while the user's gesture lasts.
    const unlocked = this.#output?.unlock();
    // If the worker does not start, nobody asks for it any more.
    unlocked?.catch(() => {});
    let running = false;
    try {
      const opened = this.#openChannel();
      // A refusal does not wait for it.
      opened.catch(() => {});
      if (reason && !this.#channel) this.#askEarly(reason);
      await this.#openOutput();
      const allowed = this.closed || (await (unlocked ?? this.#output!.unlock()));
      if (allowed) await opened;
      running = allowed;
    } finally {
      if (!running) this.#takeEarly()?.request.abort();
    }
    return running;
  }

  /**
   * Asks for the first session while the worker is being opened, which will ask for it as soon as it can. Not where
   * there is but one, nor where the browser may not let anything be heard.
   */
  #askEarly(reason: SessionReason): void {
    const { canRenew, userHasActed, clock } = this.#host;
    if (this.#early || !canRenew || !userHasActed) return;
    const request = new AbortController();
    const session = this.#host.requestSession(reason, request.signal);
    // Whether it failed is of interest once it is needed.
    session.catch(() => {});
    this.#request = request;
    this.#early = { session, request, since: clock.now() };
  }

  #takeEarly(): { session: Promise<PlayableSession>; request: AbortController; since: number } | undefined {
    const early = this.#early;
    this.#early = undefined;
    return early;
  }

  readonly #openChannel = once(async () => {
    const channel = await this.#host.openChannel(
      (report) => this.#take(report),
      (event) => (event === 'left' ? this.#listener.close() : this.setKeepOpen(this.#host.keepOpen)),
    );
    if (this.closed) {
      channel.close();
      return;
    }
    this.#channel = channel;
    this.setKeepOpen(this.#host.keepOpen);
  });

  readonly #openOutput = once(async () => {
    const output = this.#host.openOutput(() => void this.#lost());
    this.#output = output;
    output.setBusy(this.#busy);
    try {
      await output.ready;
    } catch (error) {
      this.#output = undefined;
      throw error;
    }
  });

  /** A MediaStream of what is heard. */
  capture(): unknown {
    // If the output cannot be opened, the next word says so.
    this.#openOutput().catch(() => {});
    return this.#output?.capture();
  }

  /**
   * Opens the output that the page wants now, or goes on there.
   *
   * @throws {SpeakerError} If it cannot be had.
   */
  async moveOutput(): Promise<void> {
    const output = this.#output;
    if (!output) return this.#openOutput();
    const before = this.#line?.ring;
    this.#listener.lineMoves();
    await output.move();
    if (this.closed) return;
    const ring = this.#line?.ring;
    if (ring !== before && ring?.transport === 'message') {
      this.#channel?.post({ type: 'reattach', ring }, [ring.port]);
    }
    if (this.#busy && !(await output.unlock()) && !this.closed) this.#listener.outputBlocked(this);
  }

  async #lost(): Promise<void> {
    const now = this.#host.clock.now();
    this.#losses = now - this.#lostAt < LOSS_MS ? this.#losses + 1 : 1;
    this.#lostAt = now;
    try {
      if (this.#losses > LOSSES) throw new Error('No sound leaves: check the sound device, or reload.');
      await this.moveOutput();
    } catch (error) {
      if (!this.closed) this.#listener.outputFailed(SpeakerError.from(error, 'output-failed'));
    }
  }

  /** Hands an utterance to the worker. Only after `start`. */
  enqueue({ serial, utterance, texts, more }: UtteranceRecord): void {
    this.#channel?.post({ type: 'retryable', retries: this.#host.canRenew ? RETRIES : 0 });
    this.#channel?.post({ type: 'enqueue', serial, contextId: utterance.contextId, texts, more });
  }

  /** Adds to the text of an utterance that the worker has; null: no more follows. */
  addText(serial: number, text: string | null): void {
    this.#channel?.post({ type: 'text', serial, text });
  }

  /** Silences utterances everywhere. @param serials - In the order they are spoken. */
  cancel(serials: readonly number[]): void {
    if (serials.length === 0) return;
    this.#line?.cancel(serials);
    this.#channel?.post({ type: 'cancel', serials });
  }

  /** Gives up the request for a session that is under way. */
  abortRequest(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#early = undefined;
    this.#aside = undefined;
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#line?.setPaused(paused);
  }

  /** @param busy - The output must run. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#output?.setBusy(busy);
  }

  setKeepOpen(keepOpen: boolean): void {
    this.#channel?.post({ type: 'keep-open', keepOpen });
  }

  /** Ends everything: the socket at once, what is buffered too. Idempotent. */
  close(): void {
    if (this.closed) return;
    this.#life.abort();
    this.abortRequest();
    this.#channel?.close();
    void this.#line?.close();
    this.#output?.close();
  }

  #take(report: SpeakerReport): void {
    if (this.closed && report.type !== 'socket-close') return;
    if (report.type === 'session-needed') void this.#provideSession(report.serial, report.reason === 'retry');
    else this.#listener.report(report, this.closed);
  }

  async #provideSession(serial: number, retry: boolean): Promise<void> {
    const reason = this.#listener.reason(serial);
    if (reason === null) return;
    let early = this.#takeEarly();
    if (early && this.#host.clock.now() - early.since > STALE_MS) early = undefined;
    if (!early) this.#request?.abort();
    const request = early?.request ?? new AbortController();
    this.#request = request;
    const { signal } = request;
    try {
      const given =
        this.#aside ?? (await (early?.session ?? this.#host.requestSession(retry ? 'retry' : reason, signal)));
      if (signal.aborted) return;
      const { session, aside } = this.#listener.session(given, serial, retry);
      this.#aside = aside ? session : undefined;
      if (aside) return;
      const stale = await this.#makeWay(session.sampleRate, serial, signal);
      if (signal.aborted) return;
      if (stale && this.#host.canRenew) await this.#provideSession(serial, retry);
      else this.#channel?.post({ type: 'session', serial, session });
    } catch (error) {
      if (signal.aborted) return;
      this.#channel?.post({ type: 'session-failed', serial });
      this.#listener.sessionFailed(SpeakerError.from(error, 'session-request-failed'), serial);
    }
  }

  /**
   * Has a line at `sampleRate` opened, and does not wait for it: samples wait in the worker. But a line made for another
   * rate, or another transport, must have played everything before the worker may hear of this session.
   *
   * @returns True if that took so long that the session is not good any more.
   */
  async #makeWay(sampleRate: number, serial: number, signal: AbortSignal): Promise<boolean> {
    const { clock, transport } = this.#host;
    const wanted = `${transport} ${sampleRate}`;
    const since = clock.now();
    if (this.#lineFor !== undefined && this.#lineFor !== wanted) {
      await Promise.all([this.#lineOpening, this.#listener.heardBefore(serial)]);
      if (signal.aborted) return false;
      this.#channel?.post({ type: 'detach' });
      void this.#line?.close();
      this.#lineFor = undefined;
      this.#setLine(undefined);
    }
    if (this.#lineFor === undefined) {
      this.#lineFor = wanted;
      this.#lineOpening = this.#openNode(sampleRate);
    }
    return clock.now() - since > STALE_MS;
  }

  async #openNode(sampleRate: number): Promise<void> {
    try {
      const output = this.#output!;
      const line = await output.openNode(sampleRate, (event) => this.#hear(event, output));
      if (this.closed) {
        void line.close();
        return;
      }
      this.#setLine(line);
      line.update();
      line.setPaused(this.#paused);
      const { ring } = line;
      this.#channel?.post({ type: 'attach', ring }, ring.transport === 'message' ? [ring.port] : []);
    } catch (error) {
      if (this.closed) return;
      this.#lineFor = undefined;
      this.#listener.outputFailed(SpeakerError.from(error, 'output-failed'));
    }
  }

  #setLine(line: PlaybackNode | undefined): void {
    this.#line = line;
    this.#listener.lineChanged(line, this.#output);
  }

  #hear(event: PlayoutEvent, output: PlaybackOutput): void {
    if (this.closed) return;
    this.#listener.event(event, (event.at - output.currentTime + output.latency) * 1000);
  }
}

/** Does something once, for all who ask; again only if it has failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let working: Promise<void> | undefined;
  return () => {
    working ??= work().catch((error: unknown) => {
      working = undefined;
      throw error;
    });
    return working;
  };
}
