import type { KeptPart, SpeakerCommand } from './command.js';
import { Intake } from './intake.js';
import { addText, hasWords, makeUtterance, type SentUtterance } from './sent-utterance.js';
import { SocketSource } from './socket-source.js';
import { StreamSource } from './stream-source.js';
import type { SpeakerSurroundings } from './surroundings.js';

/**
 * One speaker in the worker: its queue of utterances, and the sources that speak them, one after the other. What they bring
 * goes through the tape to the ring.
 *
 * Executes `SpeakerCommand` and reports `SpeakerFact`. Never throws on data from a peer. Worker thread.
 */
export class WorkerSpeaker {
  readonly #to: SpeakerSurroundings;
  readonly #intake: Intake;
  readonly #socket: SocketSource;
  readonly #stream: StreamSource;
  /** Utterances that no source has begun, in order. */
  readonly #queue: SentUtterance[] = [];
  /** Serial of the utterance for which a connection, or a stream, was requested; null if none was. */
  #awaiting: number | null = null;
  #keepOpen = false;
  #isClosed = false;

  constructor(surroundings: SpeakerSurroundings) {
    this.#to = surroundings;
    this.#intake = new Intake(
      surroundings,
      () => this.#advance(),
      () => this.#socket.openMs,
    );
    this.#stream = new StreamSource(surroundings, this.#intake, () => this.#advance());
    this.#socket = new SocketSource(surroundings, this.#intake, this.#queue, {
      onStep: () => this.#advance(),
      onAnswered: () => (this.#awaiting = null),
      onLost: (utterances, cause) => {
        const serials = utterances.map(({ serial }) => serial);
        this.#awaiting = serials[0]!;
        surroundings.report({ type: 'connection-lost', serials, cause });
      },
      onClosed: () => this.#isClosed && surroundings.report({ type: 'closed' }),
    });
  }

  /** Executes one command. After `close`, commands have no effect. */
  handle(command: SpeakerCommand): void {
    if (this.#isClosed) return;
    const { tape, counters } = this.#intake;
    switch (command.type) {
      case 'attach':
        // Without a report, samples that the ring takes now would also be counted as waiting.
        if (tape.attach(this.#to.openRingFeed(command.ring))) counters.flush();
        break;
      case 'reattach':
        tape.reconnect(command.ring);
        break;
      case 'detach':
        tape.attach(null);
        break;
      case 'enqueue':
        this.#queue.push(makeUtterance(command));
        break;
      case 'text':
        this.#extend(command.serial, command.text);
        break;
      case 'connect':
        if (command.serial === this.#awaiting) this.#socket.connect(command);
        break;
      case 'open-stream':
        if (command.serial === this.#awaiting) {
          this.#awaiting = null;
          this.#stream.open(this.#queue.shift()!, command.input);
        }
        break;
      case 'play-stream':
        if (this.#stream.reads(command.serial)) this.#stream.play();
        break;
      case 'end':
        this.#end(command.serial);
        break;
      case 'cancel':
        this.#cancel(new Set(command.serials), command.kept);
        break;
      case 'history':
        this.#intake.keepHistory(command.seconds);
        break;
      case 'seek': {
        const { number, mark, target, only } = command;
        tape.seek(mark, target, only, (isKept) => {
          this.#to.report({ type: 'sought', number, isKept });
        });
        counters.flush();
        break;
      }
      case 'forget':
        tape.forgetBefore(command.serial);
        counters.flush();
        break;
      case 'read': {
        const { request, serial } = command;
        this.#to.report({
          type: 'samples',
          request,
          samples: tape.received.read(serial),
          sampleRate: this.#intake.sampleRate,
        });
        break;
      }
      case 'keep-open':
        // When the page becomes visible again, an idle socket may have been dead for long.
        if (command.keepOpen && !this.#keepOpen && !this.#socket.isBusy) this.doubt();
        this.#keepOpen = command.keepOpen;
        break;
      case 'renew':
        this.#socket.renewFrom = command.serial;
        break;
      case 'close':
        this.#close();
        return;
    }
    this.#advance();
  }

  /** Waits less long for the next answer: the computer has slept, or changed its network, so the socket may be dead. */
  doubt(): void {
    this.#socket.doubt();
  }

  /** Takes the next step, if there is one: requests a connection, lets a source begin, or closes the socket. */
  #advance(): void {
    if (this.#isClosed) return;
    if (this.#stream.isBusy) return this.#stream.advance();
    const socket = this.#socket;
    if (socket.isBusy) {
      if (!socket.isUnwanted) return;
      // The service is still sending cancelled speech. With keep-open, wait for its end and drop the frames. An audio
      // stream does not need that socket.
      if (this.#keepOpen && !this.#queue[0]?.isAudio) return this.#askForAnother();
      socket.disconnect();
    }
    let next = this.#queue[0];
    while (next && !hasWords(next) && !next.more && !next.isAudio) {
      this.#intake.settle(next);
      this.#queue.shift();
      next = this.#queue[0];
    }
    if (next === undefined || !hasWords(next)) {
      // There is nothing to say yet, and the meter runs while the socket is open.
      if (!this.#keepOpen) socket.disconnect();
      if (next?.isAudio && this.#awaiting === null && this.#intake.hasRoomAhead) this.#ask(next);
    } else if (next.refusal) {
      this.#intake.fail(this.#queue.splice(0, 1), next.refusal);
      this.#advance();
    } else if (this.#intake.isFull) {
      return; // Continues when the audio thread has made room.
    } else if (socket.state === 'none') {
      if (this.#awaiting === null) this.#ask(next);
    } else if (socket.state === 'open') {
      this.#awaiting = null;
      if (socket.speakNext()) return;
      socket.disconnect();
      this.#ask(next);
    }
  }

  /** Requests a connection, or a stream, for an utterance. */
  #ask({ serial }: SentUtterance): void {
    this.#awaiting = serial;
    this.#to.report({ type: 'connection-needed', serial });
  }

  /** Requests a connection to replace the busy one, if the next utterance has waited long enough. */
  #askForAnother(): void {
    const next = this.#queue[0];
    if (!this.#socket.isOverdue || this.#awaiting !== null || next === undefined || !hasWords(next)) return;
    this.#awaiting = next.serial;
    this.#to.report({ type: 'connection-busy', serial: next.serial });
  }

  /** Adds a piece to the text of an utterance; null ends the text. */
  #extend(serial: number, text: string | null): void {
    if (this.#socket.extend(serial, text)) return;
    const waiting = this.#queue.find((utterance) => utterance.serial === serial);
    if (waiting) addText(waiting, text);
  }

  #end(serial: number): void {
    if (this.#remove(new Set([serial]))) this.#intake.tape.end(serial);
  }

  #cancel(serials: ReadonlySet<number>, kept?: KeptPart): void {
    for (const serial of serials) {
      this.#intake.tape.cancel(serial, kept?.serial === serial ? kept : undefined);
      if (this.#stream.reads(serial)) this.#stream.close();
    }
    this.#socket.cancel(serials);
    this.#remove(serials);
    this.#intake.counters.touch();
  }

  /** Removes utterances from the queue. Returns true if there were any. */
  #remove(serials: ReadonlySet<number>): boolean {
    const left = this.#queue.filter(({ serial }) => !serials.has(serial));
    const isChanged = this.#queue.length > left.length;
    this.#queue.splice(0, Infinity, ...left);
    if (this.#awaiting !== null && serials.has(this.#awaiting)) this.#awaiting = null;
    return isChanged;
  }

  #close(): void {
    this.#isClosed = true;
    this.#stream.close();
    this.#socket.disconnect();
    this.#queue.length = 0;
    this.#intake.close();
    if (!this.#socket.isClosing) this.#to.report({ type: 'closed' });
  }
}
