import { setImmediate } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import {
  CloseCode,
  describeCloseCode,
  describeFieldErrors,
  parseClientMessage,
  type ServiceMessage,
  type SynthesizeMessage,
} from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { SocketLease } from '../session/socket-leases.js';
import type { StreamSession } from '../session/stream-session.js';
import { createRateConverter } from '../speech/rate-converter.js';
import { mapTimes } from '../speech/map-times.js';
import type { SpeechEngine, SpeechRequest, TimedWord, Voice } from '../speech/speech-engine.js';
import { SpeechError, type SpeechFailure } from '../speech/speech-error.js';
import { closeSocket } from './close-socket.js';
import { ContextQueue } from './context-queue.js';
import { FrameSender } from './frame-sender.js';
import { holdReading } from './hold-reading.js';
import { IdleTimer } from './idle-timer.js';
import { pingUntilClosed } from './ping-timer.js';
import type { SpokenContext } from './spoken-context.js';
import type { ContextOutcome, StreamObserver } from './stream-observer.js';

/** Target length of a frame, in seconds. Most frames are within a third of it. */
const FRAME_SECONDS = 0.06;

/** Number of frames after which other sockets get their turn. */
const FRAMES_PER_TURN = 8;

const NO_SLOT = 'All slots of the account are in use: end another context, or try again later.';

/** Options of an admitted socket. */
export interface StreamOptions {
  readonly socket: WebSocket;
  readonly session: StreamSession;
  readonly accountId: string;
  readonly voice: Voice;
  readonly lease: SocketLease;
  readonly engine: SpeechEngine;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly observer: StreamObserver;
  /** Receives errors of the service. */
  readonly report: (error: unknown) => void;
}

/** An admitted socket. */
export interface ServedStream {
  /** Finishes the contexts that have begun, accepts no others, and closes the socket with 1001. */
  drain(): void;
  /** Aborts all contexts, and closes the socket. */
  close(code: number, reason?: string): void;
}

/**
 * Serves an open socket until it is closed (interface-spec 2.3, 2.4, 3, 4.2). Speaks its contexts one after the other,
 * while their text arrives. Every context ends with one `context_done`, after its last frame, or with one `error`.
 *
 * When no context is left, the slot is freed. It is taken again when more text arrives; if none is free then, the
 * context gets an `error`.
 */
export function serveStream(options: StreamOptions): ServedStream {
  const stream = new StreamSocket(options);
  const { clock, observer, socket } = options;
  const openedAt = clock.elapsed();
  observer.opened();
  socket.on('message', (data, isBinary) => stream.receive(data, isBinary));
  socket.on('ping', () => stream.limitUnread()); // ws has answered it
  socket.on('close', (code) => {
    stream.stop();
    observer.closed(code, clock.elapsed() - openedAt);
  });
  pingUntilClosed(socket, clock, options.limits.pingMs);
  void stream.speakContexts().catch(options.report);
  return stream;
}

class StreamSocket implements ServedStream {
  readonly #options: StreamOptions;
  readonly #queue: ContextQueue;
  readonly #sender: FrameSender;
  readonly #idle: IdleTimer;
  /** True while the engine works for this socket. A client that waits for it is not idle. */
  #awaitsEngine = false;
  /** The context that waits for more text; null if none does. */
  #awaitsText: SpokenContext | null = null;
  #cancelContextTimer = (): void => {};
  #draining = false;
  /** Result of the last attempt to take the slot. Resolves with true after `slotAnswerMs`. */
  #slotTaken: Promise<boolean> = Promise.resolve(true);

  constructor(options: StreamOptions) {
    const { socket, clock, limits } = options;
    this.#options = options;
    this.#queue = new ContextQueue(limits, clock);
    this.#sender = new FrameSender(socket, limits.waitingAudioBytes);
    this.#idle = new IdleTimer(clock, limits.idleMs, () => {
      if (!this.#awaitsEngine) this.close(CloseCode.idle);
    });
  }

  receive(data: RawData, isBinary: boolean): void {
    if (!this.#open) return;
    if (isBinary) return this.close(CloseCode.notUnderstood, 'Messages must be JSON text');
    const parsed = parseClientMessage((data as Buffer).toString());
    if (!parsed.ok) return this.close(CloseCode.notUnderstood, describeFieldErrors(parsed.errors));
    const message = parsed.value;
    if (message.type === 'synthesize' && this.#queue.hasFailed(message.context_id)) return;
    this.#idle.touch();
    if (message.type === 'end') {
      const problem = this.#queue.end(message.context_id);
      if (problem) this.#sendError(message.context_id, problem);
    } else {
      const problem = this.#add(message);
      if (problem) this.#refuse(message.context_id, problem);
      else this.#slotTaken = this.#waitForSlot(this.#options.lease.takeSlot());
    }
    this.#setContextTimer();
  }

  /**
   * Adds text to its context.
   *
   * @returns The reason why it cannot be accepted; `undefined` if it was added.
   */
  #add({ context_id, segment_mode, text }: SynthesizeMessage): string | undefined {
    if ((segment_mode ?? 'auto') !== 'auto') return 'The only segment_mode is auto.';
    if (this.#draining && this.#queue.isNew(context_id)) return describeCloseCode(CloseCode.draining);
    return this.#queue.add(context_id, text);
  }

  #refuse(contextId: string, problem: string): void {
    this.#queue.refuse(contextId);
    if (this.#queue.tooManyFailed) {
      return this.close(CloseCode.tooLarge, 'Too many contexts were refused and not ended: end each of them.');
    }
    if (this.#queue.isEmpty) void this.#freeSlot().then(() => this.#sendError(contextId, problem));
    else this.#sendError(contextId, problem);
  }

  #sendError(contextId: string, message: string): void {
    this.#sendMessage({ type: 'error', message, context_id: contextId });
  }

  /** Sends a message. While the client does not take it, none are read from the client. */
  #sendMessage(message: ServiceMessage): void {
    if (!this.#open) return;
    const taken = this.#sender.sendMessage(message);
    if (taken) void taken.then(holdReading(this.#options.socket));
    this.limitUnread();
  }

  /** Closes the socket if more bytes wait for the client than it may leave unread: answers to its pings, for example. */
  limitUnread(): void {
    const { limits, socket } = this.#options;
    if (!this.#open || socket.bufferedAmount <= limits.unreadBytes) return;
    this.close(CloseCode.tooLarge, `More than ${limits.unreadBytes} bytes wait to be read: read what is sent.`);
  }

  drain(): void {
    this.#draining = true;
    if (this.#queue.isEmpty) this.close(CloseCode.draining);
  }

  close(code: number, reason?: string): void {
    closeSocket(this.#options.socket, code, reason);
    this.stop();
  }

  /** Stops speaking and charging. The socket is closed or closing. */
  stop(): void {
    this.#idle.stop();
    this.#cancelContextTimer();
    this.#queue.clear();
    void this.#options.lease.release();
  }

  /** Speaks contexts. Runs while the socket is open. */
  async speakContexts(): Promise<void> {
    for (;;) {
      const context = await this.#queue.arrival();
      const { outcome, problem } = await this.#finish(context);
      const { clock, observer } = this.#options;
      observer.contextEnded(outcome, clock.elapsed() - context.beganAt, problem);
      this.#queue.remove();
      if (!this.#queue.isEmpty || !this.#open) continue;
      if (this.#draining) this.close(CloseCode.draining);
      else void this.#options.lease.freeSlot();
    }
  }

  async #finish(context: SpokenContext): Promise<{ outcome: ContextOutcome; problem?: string }> {
    try {
      await this.#speakContext(context);
      if (!context.signal.aborted) return { outcome: 'done' };
    } catch (error) {
      if (!context.signal.aborted) {
        const problem = await this.#fail(context, error);
        const isOfClient = error instanceof SpeechError && !ENGINE_FAILURES.has(error.reason);
        return { outcome: 'error', ...(!isOfClient && { problem }) };
      }
    }
    // A context that is aborted while the socket is open was refused, and already has its error.
    return { outcome: this.#open ? 'error' : 'aborted' };
  }

  async #speakContext(context: SpokenContext): Promise<void> {
    let sent = 0;
    for await (const samples of this.#speech(context, (words) => this.#sendTimings(context, words))) {
      await this.#send(context, sent, samples);
      sent += samples.length;
    }
    if (context.signal.aborted) return;
    // Free the slot first: a client may open another socket as soon as this context is done.
    if (!this.#queue.othersWait) await this.#freeSlot();
    if (!context.signal.aborted) this.#sendMessage({ type: 'context_done', context_id: context.id });
  }

  #sendTimings(context: SpokenContext, words: readonly TimedWord[]): void {
    if (words.length === 0 || context.signal.aborted) return;
    this.#sendMessage({
      type: 'timings',
      context_id: context.id,
      words: words.map(({ from, to, start, end }) => ({ from, to, start: toMs(start), end: toMs(end) })),
      ...(this.#options.session.timings === 'phones' && {
        phones: words.flatMap(({ phones }) =>
          phones.map(({ phone, start, end }) => ({ phone, start: toMs(start), end: toMs(end) })),
        ),
      }),
    });
  }

  async #freeSlot(): Promise<void> {
    await this.#waitForSlot(this.#options.lease.freeSlot().then(() => true));
  }

  #waitForSlot(changed: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(this.#options.limits.slotAnswerMs, () => resolve(true));
      void changed.then((hasSlot) => {
        cancel();
        resolve(hasSlot);
      });
    });
  }

  /**
   * Yields the speech of a context at the session's rate, while its text arrives.
   *
   * @param onWords - Called with words, as in a `SpeechRequest`, if the session asked for timings. Offsets count in all
   *   text of the context, times in all of its speech.
   */
  async *#speech(
    context: SpokenContext,
    onWords: (words: readonly TimedWord[]) => void,
  ): AsyncGenerator<Int16Array, void, void> {
    const { engine, session, voice } = this.#options;
    const isResampled = !engine.resamples && voice.sampleRate !== session.sample_rate;
    const converter = isResampled ? createRateConverter(voice.sampleRate, session.sample_rate) : null;
    let silent = true;
    /** Error of the last text that was skipped. */
    let skipped: SpeechError | null = null;
    let offset = 0;
    let made = 0;
    for (;;) {
      const text = await this.#nextText(context);
      if (text === null) break;
      const hasSlot = await this.#slotTaken;
      context.signal.throwIfAborted();
      if (!hasSlot) throw new SpeechError('no-slot', NO_SLOT);
      this.#awaitsEngine = true;
      const [textBegin, speechBegin] = [offset, made / session.sample_rate];
      offset += text.length;
      const report = (words: readonly TimedWord[]): void =>
        onWords(
          words.map((word) => ({
            ...mapTimes(word, (at) => speechBegin + at),
            from: textBegin + word.from,
            to: textBegin + word.to,
          })),
        );
      const request = { ...this.#request(text, silent), ...(session.timings && { onWords: report }) };
      try {
        for await (const samples of engine.speak(request, context.signal)) {
          const resampled = converter?.convert(samples) ?? samples;
          if (resampled.length === 0) continue;
          silent = false;
          made += resampled.length;
          yield resampled;
        }
      } catch (error) {
        // An emoji, a quotation mark or a foreign word must not fail the rest of the context.
        if (!isUnspeakable(error)) throw error;
        skipped = error;
      } finally {
        this.#awaitsEngine = false;
      }
    }
    if (context.signal.aborted) return;
    if (silent && skipped) throw skipped;
    const rest = converter?.flush();
    if (rest?.length) yield rest;
  }

  #request(text: string, quickStart: boolean): SpeechRequest {
    const { accountId, session, voice } = this.#options;
    return {
      text,
      voice,
      sampling: session.sampling,
      normalizeText: session.normalize_text,
      sampleRate: session.sample_rate,
      chunkSeconds: session.chunk_seconds,
      quickStart,
      client: this,
      account: accountId,
    };
  }

  /** Sends speech in frames of about equal length, so that none is very short. */
  async #send(context: SpokenContext, pts: number, samples: Int16Array): Promise<void> {
    const frames = Math.max(1, Math.round(samples.length / (FRAME_SECONDS * this.#options.session.sample_rate)));
    const edge = (frame: number): number => Math.floor((frame * samples.length) / frames);
    for (let frame = 0; frame < frames; frame++) {
      const caughtUp = this.#sendFrame(context, pts + edge(frame), samples.subarray(edge(frame), edge(frame + 1)));
      if (caughtUp) await this.#waitForReader(context, caughtUp);
      if (frame % FRAMES_PER_TURN === FRAMES_PER_TURN - 1) await setImmediate();
    }
  }

  #sendFrame(context: SpokenContext, pts: number, samples: Int16Array): Promise<void> | undefined {
    if (!this.#open) this.stop();
    context.signal.throwIfAborted();
    this.#idle.touch();
    const caughtUp = this.#sender.sendFrame(context.number, pts, samples);
    const { clock, observer, session } = this.#options;
    if (pts === 0) observer.firstFrame(clock.elapsed() - context.beganAt);
    observer.frameSent(samples.length / session.sample_rate);
    return caughtUp;
  }

  async #waitForReader(context: SpokenContext, caughtUp: Promise<void>): Promise<void> {
    this.#awaitsEngine = false;
    await unlessAborted(caughtUp, context.signal);
    this.#awaitsEngine = true;
    this.#idle.touch();
  }

  async #nextText(context: SpokenContext): Promise<string | null> {
    if (!context.hasNext) {
      this.#awaitsText = context;
      this.#setContextTimer();
      await context.arrival();
      this.#awaitsText = null;
      this.#cancelContextTimer();
    }
    return context.take();
  }

  /** Ends the context that waits for text if none arrives in time. */
  #setContextTimer(): void {
    const context = this.#awaitsText;
    if (!context) return;
    const { clock, limits } = this.#options;
    this.#cancelContextTimer();
    const delayMs = this.#queue.othersWait ? limits.contextIdleWhileOthersWaitMs : limits.contextIdleMs;
    this.#cancelContextTimer = clock.after(delayMs, () => context.end());
  }

  /** Tells the client that a context has failed. Returns the reason. */
  async #fail(context: SpokenContext, error: unknown): Promise<string> {
    const isOurs = error instanceof SpeechError;
    this.#queue.failFirst();
    if (!isOurs) this.#options.report(error);
    if (!this.#queue.othersWait) await this.#freeSlot();
    const reason = isOurs ? error.message : 'The speech engine failed.';
    this.#sendError(context.id, reason);
    if (isOurs && error.reason === 'unavailable') this.close(CloseCode.engineFailed);
    return reason;
  }

  get #open(): boolean {
    return this.#options.socket.readyState === this.#options.socket.OPEN;
  }
}

/** Rounds seconds down to milliseconds, so that no time is beyond the audio. */
function toMs(seconds: number): number {
  return Math.floor(seconds * 1000) / 1000;
}

/** Failures that no client causes. */
const ENGINE_FAILURES: ReadonlySet<SpeechFailure> = new Set(['engine-failed', 'took-too-long', 'unavailable']);

/** Returns true if an engine failed because a text contains nothing that its voice can speak. */
function isUnspeakable(error: unknown): error is SpeechError {
  return error instanceof SpeechError && (error.reason === 'nothing-to-speak' || error.reason === 'foreign-script');
}

/** Resolves when `promise` does, or when the signal is aborted. `promise` must not reject. */
function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      signal.removeEventListener('abort', settle);
      resolve();
    };
    signal.addEventListener('abort', settle);
    void promise.then(settle);
  });
}
