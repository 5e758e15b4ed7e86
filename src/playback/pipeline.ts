import type { SpeakerReport } from '../session/command.js';
import { Deferred } from './deferred.js';
import type {
  LineEvent,
  PlayableSession,
  PlaybackHost,
  PlaybackLine,
  PlaybackOutput,
  SessionChannel,
  SessionReason,
} from './ports.js';
import { SpeakerError } from './speaker-error.js';

/** Tries with a fresh session after a socket failed before any audio came. */
const RETRIES = 3;

/** Who hears from a pipeline. */
export interface PipelineListener {
  /** From the session worker. */
  report(report: SpeakerReport): void;
  /** From the audio thread; it is heard `delayMs` from now. */
  event(event: LineEvent, delayMs: number): void;
  /** Why utterance `serial` needs a session; null if it is not wanted any more. */
  reason(serial: number): SessionReason | null;
  /**
   * A session has come for utterance `serial`. Returns false to put it aside: the utterances were arranged anew, and
   * one of them will ask for it.
   */
  session(session: PlayableSession, serial: number): boolean;
  /** No session could be had for utterance `serial`. */
  sessionFailed(error: SpeakerError, serial: number): void;
  /** Nothing can be played. */
  outputFailed(error: SpeakerError): void;
  /** Another line is in use, or none. */
  lineChanged(line: PlaybackLine | undefined, output: PlaybackOutput | undefined): void;
}

/**
 * Opens what a speaker needs, when it needs it: its channel to the session worker, its share of the output, a session,
 * and a line through the output at that session's rate.
 *
 * Main thread. Made for one life of a speaker: after `close` nothing comes of it any more.
 */
export class Pipeline {
  readonly #host: PlaybackHost;
  readonly #listener: PipelineListener;
  readonly #life = new AbortController();
  #channel: SessionChannel | undefined;
  #output: PlaybackOutput | undefined;
  #line: PlaybackLine | undefined;
  #opening: Promise<unknown> | undefined;
  #lines: Promise<void> = Promise.resolve();
  #request: AbortController | undefined;
  #aside: PlayableSession | undefined;
  #drained: Deferred | undefined;
  #idle = true;
  #busy = false;
  #paused = false;
  #targetDelayMs: number;
  #gain: number;

  constructor(host: PlaybackHost, listener: PipelineListener, targetDelayMs: number, gain: number) {
    this.#host = host;
    this.#listener = listener;
    this.#targetDelayMs = targetDelayMs;
    this.#gain = gain;
  }

  get line(): PlaybackLine | undefined {
    return this.#line;
  }

  get output(): PlaybackOutput | undefined {
    return this.#output;
  }

  get closed(): boolean {
    return this.#life.signal.aborted;
  }

  /**
   * Opens worker and output, and gets the output running.
   *
   * @returns False if the browser wants a gesture first.
   * @throws {SpeakerError} If one of them cannot be had.
   */
  async start(): Promise<boolean> {
    // Before anything is awaited: Safari resumes a context only while the user's gesture lasts.
    const unlocked = this.#output?.unlock();
    this.#opening ??= Promise.all([this.#openChannel(), this.#openOutput()]);
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    return this.closed || (unlocked ?? this.#output!.unlock());
  }

  async #openChannel(): Promise<void> {
    if (this.#channel) return;
    const channel = await this.#host.openChannel((report) => this.#take(report));
    if (this.closed) channel.close();
    else this.#channel = channel;
    this.setKeepOpen(this.#host.keepOpen);
  }

  async #openOutput(): Promise<void> {
    if (this.#output) return;
    const output = await this.#host.openOutput();
    if (this.closed) output.close();
    else this.#output = output;
    output.setBusy(this.#busy);
  }

  /** Hands an utterance to the worker. Only after `start`. */
  enqueue(serial: number, contextId: string, text: string | null): void {
    this.#channel?.post({ type: 'retryable', retries: this.#host.canRenew ? RETRIES : 0 });
    this.#channel?.post({ type: 'enqueue', serial, contextId, text });
  }

  /** Silences utterances everywhere. @param serials - In the order they are spoken. */
  cancel(serials: readonly number[]): void {
    this.#line?.cancel(serials);
    this.#channel?.post({ type: 'cancel', serials });
  }

  /** Gives up the request for a session that is under way. */
  abortRequest(): void {
    this.#request?.abort();
    this.#request = undefined;
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

  setTargetDelay(ms: number): void {
    this.#targetDelayMs = ms;
    this.#line?.setTargetDelay(ms);
  }

  setGain(gain: number): void {
    this.#gain = gain;
    this.#line?.setGain(gain);
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
    this.#line?.close();
    this.#output?.close();
    this.#drained?.resolve();
  }

  #take(report: SpeakerReport): void {
    if (report.type === 'session-needed') void this.#provideSession(report.serial, report.reason === 'retry');
    else this.#listener.report(report);
  }

  async #provideSession(serial: number, retry: boolean): Promise<void> {
    const reason = this.#listener.reason(serial);
    if (reason === null) return;
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    try {
      const session = this.#aside ?? (await this.#host.requestSession(retry ? 'retry' : reason, request.signal));
      if (request.signal.aborted) return;
      this.#aside = undefined;
      if (!this.#listener.session(session, serial)) {
        this.#aside = session;
        return;
      }
      await this.#prepareLine(session.sampleRate, request.signal);
      if (request.signal.aborted) return;
      this.#channel?.post({ type: 'session', serial, session });
    } catch (error) {
      if (request.signal.aborted) return;
      this.#channel?.post({ type: 'session-failed', serial });
      this.#listener.sessionFailed(SpeakerError.from(error, 'session-request-failed'), serial);
    }
  }

  /**
   * Has a line at `sampleRate` opened. Does not wait for it: samples wait in the worker. But a line at another rate
   * must have played everything before the worker may hear of a session at this one.
   */
  async #prepareLine(sampleRate: number, signal: AbortSignal): Promise<void> {
    if (this.#line && this.#line.sampleRate !== sampleRate) {
      while (!this.#idle && !signal.aborted) await (this.#drained ??= new Deferred()).promise;
      if (signal.aborted) return;
      this.#line.close();
      this.#setLine(undefined);
    }
    if (this.#line) return;
    this.#lines = this.#lines.then(() => this.#openLine(sampleRate));
  }

  async #openLine(sampleRate: number): Promise<void> {
    if (this.closed || this.#line || !this.#output) return;
    try {
      const output = this.#output;
      const settings = { sampleRate, targetDelayMs: this.#targetDelayMs, gain: this.#gain };
      const line = await output.openLine(settings, (event) => this.#hear(event, output));
      if (this.closed) {
        line.close();
        return;
      }
      this.#setLine(line);
      if (this.#targetDelayMs !== settings.targetDelayMs) line.setTargetDelay(this.#targetDelayMs);
      if (this.#gain !== settings.gain) line.setGain(this.#gain);
      line.setPaused(this.#paused);
      const { sink } = line;
      this.#channel?.post({ type: 'attach', sink }, sink.transport === 'message' ? [sink.port] : []);
    } catch (error) {
      if (!this.closed) this.#listener.outputFailed(SpeakerError.from(error, 'output-failed'));
    }
  }

  #setLine(line: PlaybackLine | undefined): void {
    this.#line = line;
    this.#listener.lineChanged(line, this.#output);
  }

  #hear(event: LineEvent, output: PlaybackOutput): void {
    if (this.closed) return;
    if (event.event === 'start') this.#idle = false;
    if (event.event === 'drained') {
      this.#idle = true;
      this.#drained?.resolve();
      this.#drained = undefined;
    }
    this.#listener.event(event, (event.at - output.currentTime + output.latency) * 1000);
  }
}
