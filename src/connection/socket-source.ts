import { CONTEXT_ID_MAX, type ServiceMessage, type TimingsMessage } from '../protocol/message.js';
import type { FailureCause, SpeakerCommand } from './command.js';
import { Connection } from './connection.js';
import type { Intake } from './intake.js';
import { PcmAssembler } from './pcm-assembler.js';
import { ResumeRules } from './resume-rules.js';
import { SentList } from './sent-list.js';
import { SilenceWatch } from './silence-watch.js';
import {
  addText,
  hasUnanswered,
  hasWords,
  isUnspoken,
  sentLength,
  type SentUtterance,
  spokenSoFar,
} from './sent-utterance.js';
import type { SpeakerSurroundings } from './surroundings.js';
import { QUIET_MS, Unspoken } from './unspoken.js';
import { placeTimes } from './word-times.js';

/** Callbacks of a socket source. */
export interface SocketSourceEvents {
  /** Something has changed, so the next step may be possible. */
  onStep(): void;
  /** The connection has ended, or another one is here: none is requested any more. */
  onAnswered(): void;
  /** Utterances of which nothing was heard wait again, the first one for another connection. */
  onLost(utterances: readonly SentUtterance[], cause: FailureCause): void;
  /** All sockets are closed. */
  onClosed(): void;
}

/**
 * The source of one speaker that sends text to a service and receives its speech: one connection at a time, and the
 * utterances that were sent on it. What is not spoken when it ends goes back to the head of the queue, or fails.
 *
 * Never throws on data from a peer. Worker thread.
 *
 * Audio without the name of a context belongs to the oldest utterance that was sent and is not settled. The order of
 * messages decides, never the header of a frame.
 */
export class SocketSource {
  readonly #to: SpeakerSurroundings;
  readonly #intake: Intake;
  /** Utterances that were not sent yet, in order; shared with the speaker. */
  readonly #queue: SentUtterance[];
  readonly #events: SocketSourceEvents;
  readonly #sent: SentList;
  readonly #silence: SilenceWatch;
  #connection: Connection | null = null;
  readonly #rules: ResumeRules;
  readonly #unspoken: Unspoken;
  /** Sockets that this side has closed and whose close event has not arrived yet. */
  readonly #closing = new Set<Connection>();
  #pastOpenMs = 0;
  /** Utterances from this serial on need a session that was requested for one of them. */
  renewFrom = 0;

  constructor(surroundings: SpeakerSurroundings, intake: Intake, queue: SentUtterance[], events: SocketSourceEvents) {
    this.#to = surroundings;
    this.#intake = intake;
    this.#queue = queue;
    this.#events = events;
    this.#rules = new ResumeRules(intake);
    this.#unspoken = new Unspoken(surroundings, intake, this.#rules, queue, (...lost) => events.onLost(...lost));
    this.#sent = new SentList(
      surroundings.clock,
      (utterance) => this.#settle(utterance),
      () => events.onStep(),
    );
    this.#silence = new SilenceWatch(
      surroundings.clock,
      this.#sent,
      (seconds, isProbe) => this.#serviceSilent(seconds, isProbe),
      () => events.onStep(),
      (utterance) => this.#rules.canResume(utterance) && !this.#rules.timesLag(utterance),
    );
  }

  /** True while the service has not finished what was sent. */
  get isBusy(): boolean {
    return this.#sent.oldest !== undefined;
  }

  /** True if all of that is cancelled. */
  get isUnwanted(): boolean {
    return this.#sent.isUnwanted;
  }

  /** True if the service has had time to finish it. */
  get isOverdue(): boolean {
    return this.#silence.isOverdue;
  }

  /** State of the connection: open, on its way, or none. */
  get state(): 'open' | 'opening' | 'none' {
    if (this.#connection === null) return 'none';
    return this.#connection.wasOpen ? 'open' : 'opening';
  }

  /** True if this side has closed sockets whose close event has not arrived yet. */
  get isClosing(): boolean {
    return this.#closing.size > 0;
  }

  /** Total time that sockets were open, in ms. */
  get openMs(): number {
    let sum = this.#pastOpenMs + (this.#connection?.openMs ?? 0);
    for (const connection of this.#closing) sum += connection.openMs;
    return sum;
  }

  /** Waits less long for the next answer: the computer has slept, or changed its network, so the socket may be dead. */
  doubt(): void {
    this.#silence.doubt();
  }

  /** Opens a connection. The previous one is dropped if it is still busy. */
  connect(command: Extract<SpeakerCommand, { type: 'connect' }>): void {
    const { session, serial } = command;
    this.disconnect();
    this.#events.onAnswered();
    this.#intake.sampleRate = session.sampleRate;
    this.#rules.begin(command);
    this.#intake.counters.restartSequence();
    try {
      const connection: Connection = new Connection(this.#to.createSocket, session, serial, this.#to.clock, {
        onOpen: () => {
          this.#to.report({ type: 'socket-open' });
          this.#events.onStep();
        },
        onAudio: (bytes, contextId) => this.#takeAudio(bytes, contextId),
        onMessage: (message) => this.#takeMessage(message),
        onMisfit: (problem) => this.#stop({ type: 'misfit', problem }),
        onClose: (code, reason) => this.#socketClosed(connection, code, reason),
      });
      this.#connection = connection;
    } catch (error) {
      this.#intake.fail(this.#queue.splice(0, 1), { type: 'url-refused', message: String(error) });
    }
  }

  /**
   * Sends the next utterance of the queue, or the messages that the session brings.
   *
   * @returns False if another connection is needed: a session brings its words only once, some services speak only once
   *   on a socket, and the page may want another session.
   */
  speakNext(): boolean {
    const [connection, next] = [this.#connection!, this.#queue[0]!];
    if (connection.session.messages.length > 0 && !connection.hasSent) {
      this.#sendMessages(connection);
      return true;
    }
    if (connection.hasSent && (next.texts === null || connection.dialect.isOneContext)) return false;
    if (connection.serial < this.renewFrom && next.serial >= this.renewFrom) return false;
    this.#send(connection, next, connection.hasSent);
    return true;
  }

  /** Adds a piece to the text of an utterance, if it was sent; null ends the text. Returns false if it was not. */
  extend(serial: number, text: string | null): boolean {
    const utterance = this.#sent.find(serial);
    if (!utterance) return false;
    const isOpen = utterance.more;
    addText(utterance, text);
    if (!isOpen || !this.#connection) return true;
    this.#silence.restart();
    this.#sendText(this.#connection, utterance);
    return true;
  }

  /** Drops the speech of utterances that were sent. */
  cancel(serials: ReadonlySet<number>): void {
    if (!this.#sent.isUnwanted) this.#silence.awaitRest(this.#intake.sampleRate);
    for (const serial of serials) this.#cancelContexts(serial);
    this.#sent.cancel(serials);
    this.#silence.restart();
    const connection = this.#connection;
    // The messages of a session that is still connecting belong to the utterance that it was requested for.
    if (connection && !connection.wasOpen && connection.session.messages.length > 0 && serials.has(connection.serial)) {
      this.disconnect();
    }
  }

  /** Closes the socket with 1000, and drops everything that is still under way on it. */
  disconnect(): void {
    this.#silence.stop();
    this.#sent.takeAll();
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    this.#events.onAnswered();
    this.#closing.add(connection);
    connection.close();
  }

  /**
   * Sends the messages that the session brings. Their contexts belong to the waiting utterances without a text, one
   * context each, in order. The last of these utterances takes the remaining contexts. An utterance with a text that
   * follows is sent right after them.
   */
  #sendMessages(connection: Connection): void {
    const { messages } = connection.session;
    const ids = [...new Set(messages.map((message) => message.context_id))];
    const firstWithText = this.#queue.findIndex((utterance) => utterance.texts !== null);
    const waiting = firstWithText < 0 ? this.#queue.length : firstWithText;
    const owners = this.#queue.slice(0, Math.max(1, Math.min(waiting, ids.length)));
    for (const message of messages) connection.sendMessage(message);
    ids.forEach((id, index) => owners[Math.min(index, owners.length - 1)]!.contexts.push(id));
    for (const owner of owners) this.#send(connection, owner, false);
  }

  /** @param wasIdle - True if the socket was idle before, and may be dead by now. */
  #send(connection: Connection, utterance: SentUtterance, wasIdle: boolean): void {
    this.#queue.shift();
    this.#sent.add(utterance);
    if (wasIdle) this.#silence.probe();
    else this.#silence.restart();
    this.#sendText(connection, utterance);
  }

  /** Sends the new pieces of a text, and its end. If the service has ended its context, another one continues it. */
  #sendText(connection: Connection, utterance: SentUtterance): void {
    const { texts, contextId, contexts } = utterance;
    if (texts === null) return;
    if (this.#isForgotten(connection, utterance)) {
      contexts.splice(contexts.indexOf(utterance.context), 1);
      utterance.done = contexts.length === 0;
    }
    if (hasWords(utterance) && !contexts.includes(utterance.context)) {
      do {
        const count = ++utterance.contextCount;
        utterance.context = count === 1 ? contextId : `${contextId.slice(0, CONTEXT_ID_MAX - 8)}-${count}`;
        // The page may use an id again, while messages of the earlier context may still arrive under it.
      } while (connection.contexts.has(utterance.context));
      contexts.push(utterance.context);
      utterance.contextFrom = { offset: sentLength(utterance), samples: utterance.samples };
      utterance.past = spokenSoFar(utterance);
      utterance.pcm = new PcmAssembler();
      utterance.done = false;
    }
    while (hasWords(utterance)) {
      const text = texts[utterance.sent]!.slice(utterance.skip);
      if (!connection.sendText(utterance.context, text)) return;
      if (utterance.sent === utterance.answered) utterance.quietMs = this.#to.clock.now() - utterance.lastMs;
      utterance.sent++;
      utterance.skip = 0;
    }
    if (utterance.more) return;
    if (contexts.includes(utterance.context)) connection.endText(utterance.context);
    else this.#sent.advance();
  }

  /** True if the service has ended the context of an utterance, without a word, because its text paused. */
  #isForgotten({ dialect }: Connection, { contexts, context, contextFrom, samples, lastMs }: SentUtterance): boolean {
    const { contextIdleSeconds = Infinity } = dialect;
    const isIdle = samples > contextFrom.samples && this.#to.clock.now() - lastMs > contextIdleSeconds * 1000;
    return isIdle && contexts.includes(context);
  }

  /** True if the service has probably ended the context of an utterance before the latest words of it had arrived. */
  #hasCrossed(utterance: SentUtterance): boolean {
    const { contextIdleSeconds = Infinity } = this.#connection!.dialect;
    const isLate = utterance.quietMs >= Math.min(QUIET_MS, contextIdleSeconds * 500);
    return isLate && !utterance.cancelled && hasUnanswered(utterance);
  }

  /** Asks the service to stop the speech of an utterance, or at least not to wait for more text. */
  #cancelContexts(serial: number): void {
    const contexts = this.#sent.find(serial)?.contexts ?? [];
    const connection = this.#connection;
    const isAsked = connection !== null && contexts.length > 0 && contexts.every((id) => connection.cancel(id));
    if (!isAsked) this.extend(serial, null);
    // Audio that still arrives names its context, so nothing has to be waited for.
    else if (connection.dialect.receive.context) this.#sent.drop(serial);
  }

  #takeAudio(bytes: Uint8Array<ArrayBuffer>, contextId: string | undefined): void {
    this.#silence.answered();
    this.#intake.counters.countFrame(bytes);
    if (bytes.length === 0) return;
    const utterance = this.#sent.oldest;
    if (this.#isPast(contextId)) return;
    if (utterance === undefined) {
      this.#intake.counters.framesMalformed++;
      return;
    }
    this.#sent.noteFrame(contextId);
    if (utterance.cancelled) return;
    const samples = utterance.pcm.push(bytes);
    if (samples.length === 0) return;
    const minutes = this.#intake.overflowMinutes(samples.length);
    if (minutes !== null) {
      this.#stop({ type: 'overflow', minutes });
      return;
    }
    this.#intake.take(utterance, samples, (taken) => this.#rules.firmSamples(taken));
    if (!utterance.isResuming) return;
    utterance.isResuming = false;
    this.#to.report({ type: 'resumed', serial: utterance.serial, from: utterance.contextFrom.offset });
  }

  #takeMessage(message: ServiceMessage | null): void {
    const { isProbing } = this.#silence;
    this.#silence.answered();
    if (message?.type === 'context_done') {
      this.#contextDone(message.context_id);
    } else if (message?.type === 'timings') {
      this.#takeTimings(message);
    } else if (message?.type !== 'error' || !this.#sent.isUnfinished || this.#isPast(message.context_id)) {
      this.#ignoreMessage();
    } else {
      this.#sent.settleDone();
      const failed = this.#sent.takeAll();
      const cause: FailureCause = { type: 'service-error', message: message.message };
      if (isProbing && message.context_id === undefined) {
        // It is about the socket, which was idle for too long, and crossed the text.
        this.disconnect();
        this.#unspoken.lose(
          failed.filter(({ cancelled }) => !cancelled),
          cause,
        );
      } else {
        this.#intake.fail(failed, cause);
        this.#abandon(failed);
      }
      this.#events.onStep();
    }
  }

  /** Asks the service not to go on with utterances that have failed. What it still sends must not be taken for the next one. */
  #abandon(failed: readonly SentUtterance[]): void {
    const connection = this.#connection!;
    if (!connection.dialect.receive.context) return this.disconnect();
    for (const id of failed.flatMap(({ contexts }) => contexts)) connection.cancel(id);
  }

  #takeTimings(message: TimingsMessage): void {
    const utterance = this.#sent.oldest;
    const id = message.context_id ?? utterance?.context;
    if (this.#isPast(id) || utterance?.cancelled) return;
    this.#intake.counters.touch();
    if (!utterance?.texts || id !== utterance.context) {
      this.#intake.counters.timingsMalformed += message.words.length + (message.phones?.length ?? 0);
      return;
    }
    const { contextFrom, serial, words } = utterance;
    const part = {
      offset: contextFrom.offset,
      length: sentLength(utterance) - contextFrom.offset,
      seconds: contextFrom.samples / this.#intake.sampleRate,
    };
    const { malformed, ...placed } = placeTimes(message, part, words.at(-1) ?? null);
    this.#intake.counters.timingsMalformed += malformed;
    if (placed.words.length + placed.phones.length === 0) return;
    this.#rules.isTimed = true;
    this.#to.report({ type: 'timings', serial, index: words.length, ...placed });
    words.push(...placed.words);
    this.#intake.tape.setFirm(serial, this.#rules.firmSamples(utterance));
  }

  /** Returns true for a context of the socket that is over, such as that of cancelled speech. */
  #isPast(id: string | undefined): boolean {
    return id !== undefined && !this.#sent.awaits(id) && (this.#connection?.contexts.has(id) ?? false);
  }

  #contextDone(id: string | undefined): void {
    const finished = this.#sent.finish(id);
    if (finished === null) this.#ignoreMessage();
    const contextId = id ?? finished;
    if (contextId !== null) {
      this.#connection?.stopKeepAlive(contextId);
      this.#to.report({ type: 'context-done', contextId });
    }
    const { oldest } = this.#sent;
    if (oldest && finished === oldest.context && this.#hasCrossed(oldest)) {
      oldest.sent = oldest.answered;
      oldest.skip = 0;
      this.#sendText(this.#connection!, oldest);
    }
    this.#sent.advance();
  }

  /** Settles an utterance that the service has finished; it fails if there was no audio for its words. */
  #settle(utterance: SentUtterance): void {
    if (utterance.cancelled || !isUnspoken(utterance)) return this.#intake.settle(utterance);
    this.#intake.fail([utterance], { type: 'service-error', message: this.#connection!.lack });
  }

  #ignoreMessage(): void {
    this.#intake.counters.messagesIgnored++;
    this.#intake.counters.touch();
  }

  /** Fails everything that was sent, and closes the socket. */
  #stop(cause: FailureCause): void {
    this.#intake.fail(this.#sent.takeAll(), cause);
    this.disconnect();
    this.#events.onStep();
  }

  #serviceSilent(seconds: number, wasIdle: boolean): void {
    const { oldest } = this.#sent;
    // The service may be waiting for more text, and there is no other session.
    if (wasIdle && oldest?.more && !this.#rules.canRenew) return;
    this.#sent.settleDone();
    const left = this.#sent.takeAll().filter((utterance) => !utterance.cancelled);
    const lack = left[0] && isUnspoken(left[0]) ? this.#connection!.lack : '';
    this.disconnect();
    this.#unspoken.silent(left, { type: 'service-silent', seconds, wasIdle, lack });
    this.#events.onStep();
  }

  #socketClosed(connection: Connection, code: number, reason: string): void {
    const { openMs } = connection;
    this.#pastOpenMs += openMs;
    const isOurs = this.#closing.delete(connection);
    if (!isOurs) {
      this.#sent.settleDone();
      this.#connection = null;
      this.#events.onAnswered();
      const left = this.#sent.takeAll().filter((utterance) => !utterance.cancelled);
      if (!connection.wasOpen) left.push(...this.#queue.splice(0, 1));
      // Some services send the cause in a message of their own form, and close without a reason.
      const ignored = left[0] && isUnspoken(left[0]) ? connection.ignored : '';
      this.#unspoken.closed(left, connection.wasOpen, code, [reason, ignored].filter(Boolean).join('; '));
    }
    if (connection.wasOpen || !isOurs) {
      this.#intake.counters.flush();
      this.#to.report({ type: 'socket-close', code, reason, openMs });
    }
    if (this.#closing.size === 0) this.#events.onClosed();
    this.#events.onStep();
  }
}
