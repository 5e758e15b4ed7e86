import { CLOSE_DONE } from '../protocol/close-code.js';
import { FRAME_HEADER_BYTES } from '../protocol/index.js';
import { endMessage, readServiceMessage, synthesizeMessage } from '../protocol/message.js';
import type { AudioSink } from './audio-sink.js';
import type { Clock } from './clock.js';
import type { SessionFailure, SpeakerCommand, SpeakerFact, SpeechSession } from './command.js';
import type { RingDescriptor } from '../ring/index.js';
import { Connection, type SocketFactory } from './connection.js';
import { Counters } from './counters.js';
import { retryDelayMs } from './retry.js';
import { SpillQueue } from './spill-queue.js';
import { SpeakingList } from './speaking.js';
import { makeUtterance, resetForRetry, type Utterance } from './utterance.js';

/** Audio that may wait for the ring: one hour. Beyond it the socket is closed with an `overflow`. */
const SPILL_SECONDS = 3600;

/** A service that was to speak and says nothing for so long is given up: its silence is paid for. */
const SILENCE_LIMIT_MS = 60_000;
/** The same for what was cancelled, which the next utterance waits for with keep-open. */
const UNWANTED_LIMIT_MS = 5000;

/** What a session takes from its surroundings. */
export interface SessionSurroundings {
  readonly report: (report: SpeakerFact) => void;
  readonly createSocket: SocketFactory;
  readonly openSink: (descriptor: RingDescriptor<MessagePort>) => AudioSink;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Seconds of audio that may wait; an hour if left out. */
  readonly spillSeconds?: number;
}

/**
 * One speaker's state: its socket, its utterances, the audio on its way to the sink. See `SessionCommand` for what it
 * obeys and `SessionReport` for what it says. Worker thread; never throws on what a peer sends.
 *
 * Frames belong to the oldest utterance that was sent and is not settled: the order of messages decides, never the
 * frame's header.
 */
export class Session {
  readonly #to: SessionSurroundings;
  readonly #counters: Counters;
  readonly #spill: SpillQueue;
  readonly #speaking: SpeakingList;
  /** Not sent yet, in order. */
  #queued: Utterance[] = [];
  #connection: Connection | null = null;
  /** Sockets that we have closed and whose end is still to come. */
  readonly #leaving = new Set<Connection>();
  #pastOpenMs = 0;
  /** The utterance that a session was asked for. */
  #requested: number | null = null;
  #stopBackoff: (() => void) | null = null;
  #stopWatch = (): void => {};
  #sampleRate = Infinity;
  #keepOpen = false;
  #retries = 0;
  #closed = false;

  constructor(surroundings: SessionSurroundings) {
    this.#to = surroundings;
    this.#spill = new SpillQueue(() => {
      this.#counters.touch();
      this.#goOn();
    });
    this.#speaking = new SpeakingList(
      surroundings.clock,
      (utterance) => this.#settle(utterance),
      () => this.#goOn(),
    );
    this.#counters = new Counters(
      surroundings.clock,
      () => ({ spilledSamples: this.#spill.samples, socketOpenMs: this.#openMs }),
      (counters) => surroundings.report({ type: 'counters', counters }),
    );
  }

  /** Obeys one command. After `close`, none does anything. */
  handle(command: SpeakerCommand): void {
    if (this.#closed) return;
    switch (command.type) {
      case 'attach':
        // What the ring takes now must not be counted as waiting before it as well.
        if (this.#spill.attach(this.#to.openSink(command.ring))) this.#counters.flush();
        break;
      case 'reattach':
        this.#spill.reconnect(command.ring);
        break;
      case 'detach':
        this.#spill.attach(null);
        break;
      case 'enqueue':
        this.#queued.push(makeUtterance(command.serial, command.contextId, command.texts, command.more));
        break;
      case 'text':
        this.#extend(command.serial, command.text);
        break;
      case 'session':
        if (command.serial === this.#requested) this.#connect(command.session, command.serial);
        break;
      case 'session-failed':
        if (command.serial !== this.#requested) break;
        this.#requested = null;
        this.#queued.shift();
        break;
      case 'cancel':
        this.#cancel(new Set(command.serials));
        break;
      case 'keep-open':
        this.#keepOpen = command.keepOpen;
        break;
      case 'retryable':
        this.#retries = command.retries;
        break;
      case 'close':
        this.#close();
        return;
    }
    this.#goOn();
  }

  /** Takes the next step, if there is one: asks for a session, sends an utterance, or hangs up. */
  #goOn(): void {
    if (this.#closed) return;
    if (this.#speaking.oldest !== undefined) {
      // What was cancelled is still being sent to us. With keep-open it is waited out, its frames dropped.
      if (this.#keepOpen || !this.#speaking.isUnwanted) return;
      this.#hangUp();
    }
    const connection = this.#connection;
    let next = this.#queued[0];
    while (next?.texts?.length === 0 && !next.more) {
      this.#settle(next);
      this.#queued.shift();
      next = this.#queued[0];
    }
    if (next === undefined || next.texts?.length === 0) {
      // Nothing to say yet, and a socket is paid for.
      if (connection !== null && !this.#keepOpen) this.#hangUp();
    } else if (this.#spill.samples > this.#spillLimit / 2) {
      return; // goes on when the audio thread has made room
    } else if (connection === null) {
      if (this.#requested === null && this.#stopBackoff === null) this.#askForSession(next, 'speak');
    } else if (connection.wasOpen) {
      if (connection.session.messages.length > 0 && !connection.hasSpoken) {
        this.#sendMessages(connection);
      } else if (next.texts === null && connection.hasSpoken) {
        // What a session brings by itself comes once.
        this.#hangUp();
        this.#askForSession(next, 'speak');
      } else {
        this.#speak(connection, next);
      }
    }
  }

  #askForSession({ serial }: Utterance, reason: 'speak' | 'retry'): void {
    this.#requested = serial;
    this.#to.report({ type: 'session-needed', reason, serial });
  }

  #connect(session: SpeechSession, serial: number): void {
    this.#requested = null;
    this.#sampleRate = session.sampleRate;
    this.#counters.restartSequence();
    try {
      const connection: Connection = new Connection(this.#to.createSocket, session, serial, this.#to.clock, {
        onOpen: () => {
          this.#to.report({ type: 'socket-open' });
          this.#goOn();
        },
        onFrame: (frame) => this.#takeFrame(frame),
        onText: (text) => this.#takeText(text),
        onClose: (code, reason) => this.#socketClosed(connection, code, reason),
      });
      this.#connection = connection;
    } catch (error) {
      this.#fail(this.#queued.splice(0, 1), 'socket-failed', String(error));
    }
  }

  /**
   * Sends what the session brings. Its contexts are the waiting utterances without a text, one each in order; the last
   * of those takes what is left over. If the next utterance has a text, it goes out right behind and they are heard with it.
   */
  #sendMessages(connection: Connection): void {
    const { messages } = connection.session;
    const ids = [...new Set(messages.map((message) => message.context_id))];
    const bound = this.#queued.findIndex((utterance) => utterance.texts !== null);
    const waiting = bound < 0 ? this.#queued.length : bound;
    const owners = this.#queued.slice(0, Math.max(1, Math.min(waiting, ids.length)));
    for (const message of messages) connection.send(message);
    ids.forEach((id, index) => owners[Math.min(index, owners.length - 1)]!.contexts.push(id));
    for (const owner of owners) this.#speak(connection, owner);
  }

  #speak(connection: Connection, utterance: Utterance): void {
    this.#queued.shift();
    this.#speaking.add(utterance);
    this.#watch();
    const { texts, contextId, more } = utterance;
    if (texts === null) return;
    utterance.contexts.push(contextId);
    for (const text of texts) connection.send(synthesizeMessage(text, contextId));
    if (!more) connection.send(endMessage(contextId));
  }

  /** Adds to the text of an utterance; null: no more follows. */
  #extend(serial: number, text: string | null): void {
    const spoken = this.#speaking.find(serial);
    const utterance = spoken ?? this.#queued.find((waiting) => waiting.serial === serial);
    if (!utterance?.more) return;
    const { texts, contextId } = utterance;
    if (text === null) utterance.more = false;
    else texts?.push(text);
    if (!spoken) return;
    this.#watch();
    this.#connection?.send(text === null ? endMessage(contextId) : synthesizeMessage(text, contextId));
  }

  #takeFrame(frame: ArrayBuffer): void {
    this.#watch();
    this.#counters.countFrame(frame);
    this.#counters.touch();
    if (frame.byteLength <= FRAME_HEADER_BYTES) return;
    const utterance = this.#speaking.oldest;
    if (utterance === undefined) {
      this.#counters.framesMalformed++;
      return;
    }
    this.#speaking.noteFrame();
    if (utterance.cancelled) return;
    const samples = utterance.pcm.push(frame);
    if (samples.length === 0) return;
    if (this.#spill.samples + samples.length > this.#spillLimit) {
      this.#overflow();
      return;
    }
    if (utterance.samples === 0) {
      this.#to.report({ type: 'first-audio', serial: utterance.serial, atMs: this.#to.clock.now() });
    }
    utterance.samples += samples.length;
    this.#counters.samplesReceived += samples.length;
    this.#spill.push(utterance.serial, samples);
  }

  #takeText(text: string): void {
    this.#watch();
    const message = readServiceMessage(text);
    if (message?.type === 'context_done') {
      this.#contextDone(message.context_id);
    } else if (message === null || !this.#speaking.isUnfinished) {
      this.#ignoreMessage();
    } else {
      this.#speaking.settleDone();
      this.#fail(this.#speaking.takeAll(), 'service-error', message.message);
      this.#goOn();
    }
  }

  #contextDone(id: string | undefined): void {
    const finished = this.#speaking.finish(id);
    if (finished === null) this.#ignoreMessage();
    const contextId = id ?? finished;
    if (contextId !== null) this.#to.report({ type: 'context-done', contextId });
    this.#speaking.advance();
  }

  #ignoreMessage(): void {
    this.#counters.messagesIgnored++;
    this.#counters.touch();
  }

  /** No more audio comes for an utterance, and none is missing. */
  #settle({ serial, samples, cancelled }: Utterance): void {
    this.#spill.end(serial);
    if (!cancelled) this.#to.report({ type: 'received', serial, samples });
  }

  #fail(
    utterances: readonly Utterance[],
    reason: SessionFailure,
    detail: string,
    closeCode: number | null = null,
  ): void {
    const serials = utterances.filter((utterance) => !utterance.cancelled).map(({ serial }) => serial);
    for (const serial of serials) this.#spill.end(serial);
    if (serials.length === 0) return;
    this.#to.report({ type: 'failed', serials, reason, detail, closeCode });
  }

  #overflow(): void {
    this.#fail(this.#speaking.takeAll(), 'overflow', String(Math.round(this.#spillSeconds / 60)));
    this.#hangUp();
    this.#goOn();
  }

  #socketClosed(connection: Connection, code: number, reason: string): void {
    const { openMs } = connection;
    this.#pastOpenMs += openMs;
    const ours = this.#leaving.delete(connection);
    if (!ours) {
      this.#connection = null;
      this.#speaking.settleDone();
      this.#endEarly(connection, code, reason);
    }
    if (connection.wasOpen || !ours) {
      this.#counters.flush();
      this.#to.report({ type: 'socket-close', code, reason, openMs });
    }
    if (this.#closed) this.#reportClosed();
    this.#goOn();
  }

  /** The socket has ended before the utterances on it were done, or before there were any. */
  #endEarly(connection: Connection, code: number, reason: string): void {
    const left = this.#speaking.takeAll().filter((utterance) => !utterance.cancelled);
    if (!connection.wasOpen) left.push(...this.#queued.splice(0, 1));
    const first = left[0];
    if (first === undefined) return;
    if (first.samples === 0 && first.attempts < this.#retries) {
      left.forEach(resetForRetry);
      this.#queued.unshift(...left);
      this.#stopBackoff = this.#to.clock.after(retryDelayMs(first.attempts, this.#to.random()), () => {
        this.#stopBackoff = null;
        this.#askForSession(first, 'retry');
      });
      return;
    }
    // A clean close without `context_done`: what was heard of it is taken for all there is.
    if (code === CLOSE_DONE && first.samples > 0) this.#settle(left.shift()!);
    const failure = connection.wasOpen ? 'socket-closed' : 'socket-failed';
    this.#fail(left, failure, reason, code);
  }

  #cancel(serials: ReadonlySet<number>): void {
    for (const serial of serials) {
      this.#spill.cancel(serial);
      // So that the service comes to an end with it.
      this.#extend(serial, null);
    }
    this.#speaking.cancel(serials);
    this.#watch();
    const waited = this.#queued[0]?.serial;
    this.#queued = this.#queued.filter((utterance) => !serials.has(utterance.serial));
    if (waited !== undefined && serials.has(waited)) {
      this.#requested = null;
      this.#stopBackoff?.();
      this.#stopBackoff = null;
    }
    const connection = this.#connection;
    // The messages of a session that is still connecting are those of the utterance it was asked for.
    if (connection && !connection.wasOpen && connection.session.messages.length > 0 && serials.has(connection.serial)) {
      this.#hangUp();
    }
    this.#counters.touch();
  }

  /** Gives the service up if it has something to say and is silent for too long, from now on. */
  #watch(): void {
    this.#stopWatch();
    const limit = this.#speaking.isUnwanted ? UNWANTED_LIMIT_MS : SILENCE_LIMIT_MS;
    this.#stopWatch = this.#to.clock.after(limit, () => {
      // A text that is still being written may take its time.
      if (!this.#speaking.isUnfinished || this.#speaking.oldest?.more) return;
      this.#speaking.settleDone();
      this.#fail(this.#speaking.takeAll(), 'socket-closed', String(limit / 1000));
      this.#hangUp();
      this.#goOn();
    });
  }

  /** Closes the socket with 1000; nothing that is still under way on it matters. */
  #hangUp(): void {
    this.#stopWatch();
    this.#speaking.takeAll();
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    this.#leaving.add(connection);
    connection.close();
  }

  #close(): void {
    this.#closed = true;
    this.#hangUp();
    this.#stopBackoff?.();
    this.#queued = [];
    this.#spill.close();
    this.#counters.stop();
    this.#reportClosed();
  }

  #reportClosed(): void {
    if (this.#leaving.size === 0) this.#to.report({ type: 'closed' });
  }

  get #spillSeconds(): number {
    return this.#to.spillSeconds ?? SPILL_SECONDS;
  }

  get #spillLimit(): number {
    return this.#spillSeconds * this.#sampleRate;
  }

  get #openMs(): number {
    let sum = this.#pastOpenMs + (this.#connection?.openMs ?? 0);
    for (const connection of this.#leaving) sum += connection.openMs;
    return sum;
  }
}
