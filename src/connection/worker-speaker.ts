import type { Clock } from '../base/clock.js';
import { CLOSE_DONE, CLOSE_DRAINING, CLOSE_IDLE } from '../protocol/close-code.js';
import { CONTEXT_ID_MAX, type ServiceMessage, type TimingsMessage } from '../protocol/message.js';
import type { RingFeed } from './ring-feed.js';
import type { RingDescriptor } from '../ring/index.js';
import type { AudioInput, PushedInput, StreamFailure } from './audio-input.js';
import { AudioStream, type AudioStreamEvents, READ_AHEAD_SECONDS } from './audio-stream.js';
import type { FailureCause, KeptPart, SpeakerCommand, SpeakerFact } from './command.js';
import { Connection, type SocketFactory } from './connection.js';
import { Counters } from './counters.js';
import { PcmAssembler } from './pcm-assembler.js';
import { PushedAudio } from './pushed-audio.js';
import { SentList } from './sent-list.js';
import { SilenceWatch } from './silence-watch.js';
import { SpeechTape } from './speech-tape.js';
import { placeTimes } from './word-times.js';
import {
  hasWords,
  isUnheard,
  makeUtterance,
  resetForRetry,
  sentLength,
  type SentUtterance,
  spokenSoFar,
} from './sent-utterance.js';
import { wholePart, wholeSamples } from './whole-part.js';

/** Seconds of audio that may wait for the ring: one hour. Above that, the socket is closed with an `overflow`. */
const SPILL_SECONDS = 3600;
/** Number of times that the rest of one utterance is sent to another connection because one has died in the middle. */
const RESUMPTIONS = 3;
/** Longest speech, in seconds, that may be heard twice then: a word that was not received to its end. */
const REPEATED_SECONDS = 1;
/** A service that sends nothing for this long before it closes has spoken all of the text so far. */
const QUIET_MS = 1000;
/** Seconds of speech before the sample that plays, which the history keeps even if more waits than fits into it. */
const KEPT_BEHIND_SECONDS = 30;

/** The surroundings of a speaker in the worker; tests pass their own. */
export interface SpeakerSurroundings {
  readonly report: (fact: SpeakerFact) => void;
  readonly createSocket: SocketFactory;
  readonly openRingFeed: (descriptor: RingDescriptor<MessagePort>) => RingFeed;
  readonly clock: Clock;
  /** Seconds of audio that may wait for the ring; one hour if omitted. */
  readonly spillSeconds?: number;
}

/** An audio stream and its utterance. */
interface OpenStream {
  readonly utterance: SentUtterance;
  readonly audio: AudioStream | PushedAudio;
}

/**
 * One speaker in the worker: its connection or audio stream, its utterances, and the audio on its way to the ring.
 *
 * Executes `SpeakerCommand` and reports `SpeakerFact`. Never throws on data from a peer. Worker thread.
 *
 * Frames belong to the oldest utterance that was sent and is not settled. The order of messages decides, never the
 * header of the frame.
 */
export class WorkerSpeaker {
  readonly #to: SpeakerSurroundings;
  readonly #counters: Counters;
  readonly #tape: SpeechTape;
  readonly #sent: SentList;
  readonly #silence: SilenceWatch;
  /** Utterances that were not sent yet, in order. */
  #queued: SentUtterance[] = [];
  #connection: Connection | null = null;
  /** True if the source can give another session. */
  #canRenew = false;
  /** Seconds to write ahead of what is heard, of speech that may be cut off; null if the rest of it is not spoken again. */
  #lead: number | null = null;
  /** True if the service reports when words are spoken. */
  #isTimed = false;
  /** The audio stream that is being read. */
  #stream: OpenStream | null = null;
  /** Sockets that this side has closed and whose close event has not arrived yet. */
  readonly #closing = new Set<Connection>();
  #pastOpenMs = 0;
  /** Serial of the utterance for which a connection was requested; null if none was. */
  #awaiting: number | null = null;
  #sampleRate = Infinity;
  #historySeconds = 0;
  #keepOpen = false;
  #isClosed = false;

  constructor(surroundings: SpeakerSurroundings) {
    this.#to = surroundings;
    this.#tape = new SpeechTape(() => {
      this.#counters.touch();
      this.#advance();
    });
    this.#sent = new SentList(
      surroundings.clock,
      (utterance) => this.#settle(utterance),
      () => this.#advance(),
    );
    this.#silence = new SilenceWatch(
      surroundings.clock,
      this.#sent,
      (seconds, isProbe) => this.#serviceSilent(seconds, isProbe),
      () => this.#advance(),
      (utterance) => this.#canResume(utterance) && !this.#timesLag(utterance),
    );
    this.#counters = new Counters(
      surroundings.clock,
      () => {
        const { waiting, oldest, newest } = this.#tape;
        return { spilledSamples: waiting, oldest, newest, quiet: this.#tape.takeQuiet(), socketOpenMs: this.#openMs };
      },
      (counters) => surroundings.report({ type: 'counters', counters }),
    );
  }

  /** Executes one command. After `close`, commands have no effect. */
  handle(command: SpeakerCommand): void {
    if (this.#isClosed) return;
    switch (command.type) {
      case 'attach':
        // Without a report, samples that the ring takes now would also be counted as waiting.
        if (this.#tape.attach(this.#to.openRingFeed(command.ring))) this.#counters.flush();
        break;
      case 'reattach':
        this.#tape.reconnect(command.ring);
        break;
      case 'detach':
        this.#tape.attach(null);
        break;
      case 'enqueue':
        this.#queued.push(makeUtterance(command));
        break;
      case 'text':
        this.#extend(command.serial, command.text);
        break;
      case 'connect':
        if (command.serial === this.#awaiting) this.#connect(command);
        break;
      case 'open-stream':
        if (command.serial === this.#awaiting) this.#openStream(command.input);
        break;
      case 'play-stream':
        if (command.serial === this.#stream?.utterance.serial) this.#playStream(this.#stream);
        break;
      case 'end':
        this.#end(command.serial);
        break;
      case 'cancel':
        this.#cancel(new Set(command.serials), command.kept);
        break;
      case 'history':
        this.#historySeconds = command.seconds;
        this.#limitTape();
        this.#counters.flush();
        break;
      case 'seek': {
        const { number, mark, serial, sample, only } = command;
        this.#tape.seek(mark, serial === 0 ? null : { serial, sample }, only, (isKept) => {
          this.#to.report({ type: 'sought', number, isKept });
        });
        this.#counters.flush();
        break;
      }
      case 'forget':
        this.#tape.forgetBefore(command.serial);
        this.#counters.flush();
        break;
      case 'read': {
        const { request, serial } = command;
        this.#to.report({ type: 'samples', request, samples: this.#tape.read(serial), sampleRate: this.#sampleRate });
        break;
      }
      case 'keep-open':
        // When the page becomes visible again, an idle socket may have been dead for long.
        if (command.keepOpen && !this.#keepOpen && !this.#sent.oldest) this.doubt();
        this.#keepOpen = command.keepOpen;
        break;
      case 'close':
        this.#close();
        return;
    }
    this.#advance();
  }

  /** Waits less long for the next answer: the computer has slept, or changed its network, so the socket may be dead. */
  doubt(): void {
    this.#silence.doubt();
  }

  /** Takes the next step, if there is one: requests a connection, sends an utterance, or closes the socket. */
  #advance(): void {
    if (this.#isClosed) return;
    if (this.#stream) return this.#stream.audio.advance();
    if (this.#sent.oldest !== undefined) {
      if (!this.#sent.isUnwanted) return;
      // The service is still sending cancelled speech. With keep-open, wait for its end and drop the frames. An audio
      // stream does not need that socket.
      if (this.#keepOpen && !this.#queued[0]?.isAudio) return this.#askForAnother();
      this.#disconnect();
    }
    const connection = this.#connection;
    let next = this.#queued[0];
    while (next && !hasWords(next) && !next.more && !next.isAudio) {
      this.#settle(next);
      this.#queued.shift();
      next = this.#queued[0];
    }
    if (next === undefined || !hasWords(next)) {
      // There is nothing to say yet, and the meter runs while the socket is open.
      if (connection !== null && !this.#keepOpen) this.#disconnect();
      if (next?.isAudio && this.#awaiting === null && this.#hasRoomAhead) this.#askForConnection(next);
    } else if (next.refusal) {
      this.#fail(this.#queued.splice(0, 1), next.refusal);
      this.#advance();
    } else if (this.#tape.fresh > this.#spillLimit / 2) {
      return; // Continues when the audio thread has made room.
    } else if (connection === null) {
      if (this.#awaiting === null) this.#askForConnection(next);
    } else if (connection.wasOpen) {
      this.#awaiting = null;
      if (connection.session.messages.length > 0 && !connection.hasSent) {
        this.#sendMessages(connection);
      } else if (connection.hasSent && (next.texts === null || connection.dialect.isOneContext)) {
        // A session brings its words only once, and some services speak only once on a socket.
        this.#disconnect();
        this.#askForConnection(next);
      } else {
        this.#send(connection, next, connection.hasSent);
      }
    }
  }

  #askForConnection({ serial }: SentUtterance): void {
    this.#awaiting = serial;
    this.#to.report({ type: 'connection-needed', serial });
  }

  /** Requests a connection to replace the busy one, if the next utterance has waited long enough. */
  #askForAnother(): void {
    const next = this.#queued[0];
    if (!this.#silence.isOverdue || this.#awaiting !== null || next === undefined || !hasWords(next)) return;
    this.#awaiting = next.serial;
    this.#to.report({ type: 'connection-busy', serial: next.serial });
  }

  #connect({ session, serial, canRenew, lead }: Extract<SpeakerCommand, { type: 'connect' }>): void {
    // Drop the previous connection if it is still busy.
    this.#disconnect();
    this.#awaiting = null;
    this.#canRenew = canRenew;
    this.#setSampleRate(session.sampleRate);
    this.#lead = canRenew ? lead : null;
    this.#isTimed = session.timings ?? false;
    if (this.#lead !== null) this.#tape.setLead(this.#lead * session.sampleRate);
    this.#counters.restartSequence();
    try {
      const connection: Connection = new Connection(this.#to.createSocket, session, serial, this.#to.clock, {
        onOpen: () => {
          this.#to.report({ type: 'socket-open' });
          this.#advance();
        },
        onAudio: (bytes, contextId) => this.#takeAudio(bytes, contextId),
        onMessage: (message) => this.#takeMessage(message),
        onMisfit: (problem) => this.#stop({ type: 'misfit', problem }),
        onClose: (code, reason) => this.#socketClosed(connection, code, reason),
      });
      this.#connection = connection;
    } catch (error) {
      this.#fail(this.#queued.splice(0, 1), { type: 'url-refused', message: String(error) });
    }
  }

  #setSampleRate(sampleRate: number): void {
    // Speech of another rate has finished playing by now, because the main thread waits for that.
    if (sampleRate !== this.#sampleRate) this.#tape.clear();
    this.#sampleRate = sampleRate;
    this.#limitTape();
  }

  /** Reads the audio stream of the next utterance. */
  #openStream(input: AudioInput | PushedInput): void {
    this.#awaiting = null;
    const utterance = this.#queued.shift()!;
    const events: AudioStreamEvents = {
      onOpen: (sampleRate) => this.#to.report({ type: 'stream-open', serial: utterance.serial, sampleRate }),
      onBytes: (count) => this.#counters.countBytes(count),
      onSamples: (samples) => this.#takeSamples(utterance, samples),
      hasRoom: () => this.#hasRoomAhead,
      onEnd: (cause) => {
        if (cause) this.#failStream(utterance, cause);
        else this.#settle(utterance);
        this.#closeStream();
        this.#advance();
      },
    };
    const audio = input.type === 'pushed' ? new PushedAudio(input, events) : new AudioStream(input, events);
    this.#stream = { utterance, audio };
    void audio.open();
  }

  #failStream({ serial }: SentUtterance, cause: StreamFailure): void {
    this.#tape.end(serial);
    this.#counters.flush();
    this.#to.report({ type: 'stream-failed', serial, cause });
  }

  #playStream({ audio }: OpenStream): void {
    this.#setSampleRate(audio.sampleRate);
    audio.play();
  }

  #closeStream(): void {
    if (!this.#stream) return;
    this.#stream.audio.close();
    this.#stream = null;
    this.#to.report({ type: 'stream-close' });
  }

  /**
   * Sends the messages that the session brings. Their contexts belong to the waiting utterances without a text, one
   * context each, in order. The last of these utterances takes the remaining contexts. An utterance with a text that
   * follows is sent right after them.
   */
  #sendMessages(connection: Connection): void {
    const { messages } = connection.session;
    const ids = [...new Set(messages.map((message) => message.context_id))];
    const firstWithText = this.#queued.findIndex((utterance) => utterance.texts !== null);
    const waiting = firstWithText < 0 ? this.#queued.length : firstWithText;
    const owners = this.#queued.slice(0, Math.max(1, Math.min(waiting, ids.length)));
    for (const message of messages) connection.sendMessage(message);
    ids.forEach((id, index) => owners[Math.min(index, owners.length - 1)]!.contexts.push(id));
    for (const owner of owners) this.#send(connection, owner, false);
  }

  /** @param wasIdle - True if the socket was idle before, and may be dead by now. */
  #send(connection: Connection, utterance: SentUtterance, wasIdle: boolean): void {
    this.#queued.shift();
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
      const count = ++utterance.contextCount;
      utterance.context = count === 1 ? contextId : `${contextId.slice(0, CONTEXT_ID_MAX - 8)}-${count}`;
      contexts.push(utterance.context);
      utterance.contextFrom = { offset: sentLength(utterance), samples: utterance.samples };
      utterance.past = spokenSoFar(utterance);
      utterance.pcm = new PcmAssembler();
      utterance.done = false;
    }
    while (hasWords(utterance)) {
      const text = texts[utterance.sent]!.slice(utterance.skip);
      if (!connection.sendText(utterance.context, text)) return;
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

  /** Adds a piece to the text of an utterance; null ends the text. */
  #extend(serial: number, text: string | null): void {
    const sent = this.#sent.find(serial);
    const utterance = sent ?? this.#queued.find((waiting) => waiting.serial === serial);
    if (!utterance?.more) return;
    if (text === null) utterance.more = false;
    else utterance.texts?.push(text);
    if (!sent || !this.#connection) return;
    this.#silence.restart();
    this.#sendText(this.#connection, utterance);
  }

  /** True if more than a word of its speech was handed to the output before the service has reported its times. */
  #timesLag(utterance: SentUtterance): boolean {
    const whole = wholeSamples(utterance, this.#sampleRate);
    return this.#tape.written(utterance.serial) - whole > REPEATED_SECONDS * this.#sampleRate;
  }

  #takeAudio(bytes: Uint8Array<ArrayBuffer>, contextId: string | undefined): void {
    this.#silence.answered();
    this.#counters.countFrame(bytes);
    if (bytes.length === 0) return;
    const utterance = this.#sent.oldest;
    if (this.#isPast(contextId)) return;
    if (utterance === undefined) {
      this.#counters.framesMalformed++;
      return;
    }
    this.#sent.noteFrame();
    if (utterance.cancelled) return;
    const samples = utterance.pcm.push(bytes);
    if (samples.length === 0) return;
    if (this.#tape.fresh + samples.length > this.#spillLimit) {
      this.#stop({ type: 'overflow', minutes: Math.round(this.#spillSeconds / 60) });
      return;
    }
    this.#takeSamples(utterance, samples);
  }

  #takeSamples(utterance: SentUtterance, samples: Int16Array): void {
    const isFirst = utterance.samples === 0;
    const atMs = (utterance.lastMs = this.#to.clock.now());
    if (isFirst) {
      utterance.firstMs = atMs;
      this.#to.report({ type: 'first-audio', serial: utterance.serial, atMs });
    }
    if (utterance.isResuming) {
      utterance.isResuming = false;
      this.#to.report({ type: 'resumed', serial: utterance.serial, from: utterance.contextFrom.offset });
    }
    utterance.samples += samples.length;
    this.#counters.samplesReceived += samples.length;
    this.#tape.push(utterance.serial, samples, this.#firmSamples(utterance));
    // From now on, seeks into the utterance are possible.
    if (isFirst) this.#counters.flush();
  }

  #takeMessage(message: ServiceMessage | null): void {
    this.#silence.answered();
    if (message?.type === 'context_done') {
      this.#contextDone(message.context_id);
    } else if (message?.type === 'timings') {
      this.#takeTimings(message);
    } else if (message?.type !== 'error' || !this.#sent.isUnfinished || this.#isPast(message.context_id)) {
      this.#ignoreMessage();
    } else {
      this.#sent.settleDone();
      this.#fail(this.#sent.takeAll(), { type: 'service-error', message: message.message });
      this.#advance();
    }
  }

  #takeTimings(message: TimingsMessage): void {
    const utterance = this.#sent.oldest;
    const id = message.context_id ?? utterance?.context;
    if (this.#isPast(id) || utterance?.cancelled) return;
    this.#counters.touch();
    if (!utterance?.texts || id !== utterance.context) {
      this.#counters.timingsMalformed += message.words.length + (message.phones?.length ?? 0);
      return;
    }
    const { contextFrom, serial, words } = utterance;
    const part = {
      offset: contextFrom.offset,
      length: sentLength(utterance) - contextFrom.offset,
      seconds: contextFrom.samples / this.#sampleRate,
    };
    const { malformed, ...placed } = placeTimes(message, part, words.at(-1) ?? null);
    this.#counters.timingsMalformed += malformed;
    if (placed.words.length + placed.phones.length === 0) return;
    this.#isTimed = true;
    this.#to.report({ type: 'timings', serial, index: words.length, ...placed });
    words.push(...placed.words);
    this.#tape.setFirm(serial, this.#firmSamples(utterance));
  }

  /** Number of samples of an utterance that will stay, whatever happens to its connection. */
  #firmSamples(utterance: SentUtterance): number {
    return this.#canResume(utterance) ? wholeSamples(utterance, this.#sampleRate) : Infinity;
  }

  /** True if the rest of an utterance can be spoken on another connection. */
  #canResume({ texts, resumptions, cancelled }: SentUtterance): boolean {
    return this.#isTimed && this.#lead !== null && texts !== null && resumptions < RESUMPTIONS && !cancelled;
  }

  /** Returns true for a context of the socket that is over, such as that of cancelled speech. */
  #isPast(id: string | undefined): boolean {
    return id !== undefined && !this.#sent.awaits(id) && (this.#connection?.contexts.has(id) ?? false);
  }

  #contextDone(id: string | undefined): void {
    const finished = this.#sent.finish(id);
    if (finished === null) this.#ignoreMessage();
    const contextId = id ?? finished;
    if (contextId !== null) this.#to.report({ type: 'context-done', contextId });
    this.#sent.advance();
  }

  #ignoreMessage(): void {
    this.#counters.messagesIgnored++;
    this.#counters.touch();
  }

  /** Ends an utterance that is complete: no more audio of it will arrive. */
  #settle({ serial, samples, cancelled, words }: SentUtterance): void {
    this.#tape.end(serial);
    this.#counters.touch();
    this.#counters.timingsMalformed += words.filter(({ start }) => start * this.#sampleRate >= samples).length;
    if (!cancelled) this.#to.report({ type: 'received', serial, samples });
  }

  #fail(utterances: readonly SentUtterance[], cause: FailureCause): void {
    const failed = utterances.filter((utterance) => !utterance.cancelled);
    const serials = failed.map(({ serial }) => serial);
    for (const serial of serials) this.#tape.end(serial);
    if (serials.length === 0) return;
    this.#counters.flush();
    this.#to.report({ type: 'failed', serials, sent: failed.map(({ sent }) => sent), cause });
  }

  /** Fails everything that was sent, and closes the socket. */
  #stop(cause: FailureCause): void {
    this.#fail(this.#sent.takeAll(), cause);
    this.#disconnect();
    this.#advance();
  }

  #serviceSilent(seconds: number, wasIdle: boolean): void {
    const { oldest } = this.#sent;
    // The service may be waiting for more text, and there is no other session.
    if (wasIdle && oldest?.more && !this.#canRenew) return;
    this.#sent.settleDone();
    const left = this.#sent.takeAll().filter((utterance) => !utterance.cancelled);
    this.#disconnect();
    const cause: FailureCause = { type: 'service-silent', seconds, wasIdle };
    if (wasIdle && left[0] && isUnheard(left[0])) this.#lose(left, cause);
    else this.#failOrResume(left, cause);
    this.#advance();
  }

  #socketClosed(connection: Connection, code: number, reason: string): void {
    const { openMs } = connection;
    this.#pastOpenMs += openMs;
    const isOurs = this.#closing.delete(connection);
    if (!isOurs) {
      this.#connection = null;
      this.#awaiting = null;
      this.#sent.settleDone();
      this.#endEarly(connection, code, reason);
    }
    if (connection.wasOpen || !isOurs) {
      this.#counters.flush();
      this.#to.report({ type: 'socket-close', code, reason, openMs });
    }
    if (this.#isClosed) this.#reportClosed();
    this.#advance();
  }

  /** Handles a socket that ended before its utterances were complete, or before any was sent. */
  #endEarly(connection: Connection, code: number, reason: string): void {
    const left = this.#sent.takeAll().filter((utterance) => !utterance.cancelled);
    if (!connection.wasOpen) left.push(...this.#queued.splice(0, 1));
    const first = left[0];
    if (first === undefined) return;
    const cause: FailureCause = { type: 'socket-ended', opened: connection.wasOpen, code, reason };
    // After a clean close without `context_done`, the received audio counts as that of all text so far.
    const isSpoken = first.done || (!isUnheard(first) && (code === CLOSE_DONE || this.#wasWaiting(first, code)));
    if (!isSpoken && isUnheard(first)) return this.#lose(left, cause);
    if (isSpoken) this.#keepRest(left.shift()!, cause);
    this.#failOrResume(left, cause);
  }

  /** True if the service has closed the socket with this code while it was waiting for more of a text. */
  #wasWaiting({ more, lastMs }: SentUtterance, code: number): boolean {
    const isQuiet = this.#to.clock.now() - lastMs >= QUIET_MS;
    return more && (code === CLOSE_IDLE || (code === CLOSE_DRAINING && isQuiet));
  }

  /** Fails utterances whose connection has died, except for the rest of the first one if another one can speak it. */
  #failOrResume(left: SentUtterance[], cause: FailureCause): void {
    const [first] = left;
    if (first && this.#resume(first)) left.shift();
    this.#fail(left, cause);
  }

  /**
   * Lets the rest of an utterance, after its last whole word, be spoken on another connection.
   *
   * @returns False if that is impossible, or if too much would be heard twice.
   */
  #resume(utterance: SentUtterance): boolean {
    if (!this.#canResume(utterance)) return false;
    const { serial } = utterance;
    const { pause, ...part } = wholePart(utterance, this.#sampleRate);
    if (part.sent === utterance.sent && part.words === utterance.words.length && part.words > 0) {
      this.#keepRest(utterance);
      return true;
    }
    if (this.#timesLag(utterance)) return false;
    utterance.samples = this.#tape.cutOff(serial, part.samples);
    utterance.words.length = part.words;
    if (pause > 0 && utterance.samples === part.samples) {
      this.#tape.push(serial, new Int16Array(pause));
      utterance.samples += pause;
    }
    utterance.past = { ...part, samples: utterance.samples };
    resetForRetry(utterance);
    utterance.resumptions++;
    utterance.isResuming = true;
    this.#counters.flush();
    this.#to.report({ type: 'resuming', serial, words: part.words, samples: utterance.samples });
    this.#queued.unshift(utterance);
    return true;
  }

  /** Settles an utterance whose text so far is spoken, or lets it wait for the rest of its text. */
  #keepRest(utterance: SentUtterance, cause?: FailureCause): void {
    if (utterance.texts === null || !(utterance.more || hasWords(utterance))) return this.#settle(utterance);
    utterance.past = spokenSoFar(utterance);
    resetForRetry(utterance);
    if (cause && !this.#canRenew) utterance.refusal = cause;
    this.#queued.unshift(utterance);
  }

  /** Requests another connection for utterances of which nothing was heard on the last one. */
  #lose(left: SentUtterance[], cause: FailureCause): void {
    const serials = left.map(({ serial }) => serial);
    if (serials.length === 0) return;
    left.forEach(resetForRetry);
    this.#queued.unshift(...left);
    this.#awaiting = serials[0]!;
    this.#to.report({ type: 'connection-lost', serials, cause });
  }

  #end(serial: number): void {
    if (this.#queued.every((utterance) => utterance.serial !== serial)) return;
    this.#queued = this.#queued.filter((utterance) => utterance.serial !== serial);
    if (this.#awaiting === serial) this.#awaiting = null;
    this.#tape.end(serial);
  }

  #cancel(serials: ReadonlySet<number>, kept?: KeptPart): void {
    if (!this.#sent.isUnwanted) this.#silence.awaitRest(this.#sampleRate);
    for (const serial of serials) {
      this.#tape.cancel(serial, kept?.serial === serial ? { serial: -serial, sample: kept.samples } : null);
      this.#cancelContexts(serial);
    }
    if (this.#stream && serials.has(this.#stream.utterance.serial)) this.#closeStream();
    this.#sent.cancel(serials);
    this.#silence.restart();
    this.#queued = this.#queued.filter((utterance) => !serials.has(utterance.serial));
    if (this.#awaiting !== null && serials.has(this.#awaiting)) this.#awaiting = null;
    const connection = this.#connection;
    // The messages of a session that is still connecting belong to the utterance that it was requested for.
    if (connection && !connection.wasOpen && connection.session.messages.length > 0 && serials.has(connection.serial)) {
      this.#disconnect();
    }
    this.#counters.touch();
  }

  /** Asks the service to stop the speech of an utterance, or at least not to wait for more text. */
  #cancelContexts(serial: number): void {
    const contexts = this.#sent.find(serial)?.contexts ?? [];
    const connection = this.#connection;
    const isAsked = connection !== null && contexts.length > 0 && contexts.every((id) => connection.cancel(id));
    if (!isAsked) this.#extend(serial, null);
    // Late audio then shows to which context it belongs.
    else if (connection.dialect.receive.context) this.#sent.drop(serial);
  }

  /** Closes the socket with 1000, and drops everything that is still under way on it. */
  #disconnect(): void {
    this.#silence.stop();
    this.#sent.takeAll();
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    this.#awaiting = null;
    this.#closing.add(connection);
    connection.close();
  }

  #close(): void {
    this.#isClosed = true;
    this.#closeStream();
    this.#disconnect();
    this.#queued = [];
    this.#tape.close();
    this.#counters.stop();
    this.#reportClosed();
  }

  #reportClosed(): void {
    if (this.#closing.size === 0) this.#to.report({ type: 'closed' });
  }

  #limitTape(): void {
    const rate = this.#sampleRate;
    if (Number.isFinite(rate)) this.#tape.setLimit(this.#historySeconds * rate, KEPT_BEHIND_SECONDS * rate);
  }

  get #hasRoomAhead(): boolean {
    // Half of the history is left for what has been heard.
    return this.#tape.fresh < Math.max(READ_AHEAD_SECONDS, this.#historySeconds / 2) * this.#sampleRate;
  }

  get #spillSeconds(): number {
    return this.#to.spillSeconds ?? SPILL_SECONDS;
  }

  get #spillLimit(): number {
    return this.#spillSeconds * this.#sampleRate;
  }

  get #openMs(): number {
    let sum = this.#pastOpenMs + (this.#connection?.openMs ?? 0);
    for (const connection of this.#closing) sum += connection.openMs;
    return sum;
  }
}
