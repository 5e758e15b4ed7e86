import { CLOSE_DONE, CLOSE_DRAINING, CLOSE_IDLE } from '../protocol/close-code.js';
import type { FailureCause } from './command.js';
import type { Intake } from './intake.js';
import type { ResumeRules } from './resume-rules.js';
import {
  answeredPart,
  hasSentWords,
  hasWords,
  isUnheard,
  resetForRetry,
  type SentUtterance,
} from './sent-utterance.js';
import type { SpeakerSurroundings } from './surroundings.js';
import { wholePart } from './whole-part.js';

/** A service that sends nothing for this long has spoken all that it has got. It may end the context, or close, at any time. */
export const QUIET_MS = 1000;

/**
 * Decides what becomes of utterances whose connection has ended before they were complete: they are settled, wait at the
 * head of the queue for another connection, or fail. Worker thread.
 */
export class Unspoken {
  readonly #to: SpeakerSurroundings;
  readonly #intake: Intake;
  readonly #rules: ResumeRules;
  readonly #queue: SentUtterance[];
  readonly #onLost: (utterances: readonly SentUtterance[], cause: FailureCause) => void;

  /**
   * @param queue - Utterances that were not sent yet, in order.
   * @param onLost - Called with utterances of which nothing was heard, and which wait again.
   */
  constructor(
    to: SpeakerSurroundings,
    intake: Intake,
    rules: ResumeRules,
    queue: SentUtterance[],
    onLost: (utterances: readonly SentUtterance[], cause: FailureCause) => void,
  ) {
    this.#to = to;
    this.#intake = intake;
    this.#rules = rules;
    this.#queue = queue;
    this.#onLost = onLost;
  }

  /** Handles the utterances of a service that is silent. */
  silent(left: SentUtterance[], cause: Extract<FailureCause, { type: 'service-silent' }>): void {
    if (cause.wasIdle && left[0] && isUnheard(left[0])) this.lose(left, cause);
    else this.#failOrResume(left, cause);
  }

  /** Handles the utterances of a socket that has closed. `opened` is false if it was never open. */
  closed(left: SentUtterance[], opened: boolean, code: number, reason: string): void {
    const first = left[0];
    if (first === undefined) return;
    const cause: FailureCause = { type: 'socket-ended', opened, code, reason };
    // After a clean close without `context_done`, the received audio counts as that of all text that was sent before it.
    const wasWaiting = this.#wasWaiting(first, code);
    const isSpoken = first.done || (!isUnheard(first) && (code === CLOSE_DONE || wasWaiting));
    if (!isSpoken && isUnheard(first)) return this.lose(left, cause);
    if (isSpoken) {
      // If the times of its words show that some are missing, it was cut off.
      const mayLack = !first.done && !wasWaiting && first.words.length > first.past.words;
      if (mayLack && this.#resume(first)) left.shift();
      else if (!mayLack || !this.#lacksSentence(first)) this.#keepRest(left.shift()!, cause);
    }
    this.#failOrResume(left, cause);
  }

  /** True if no word of a whole piece of the text was received. */
  #lacksSentence(utterance: SentUtterance): boolean {
    const { sent, skip } = wholePart(utterance, this.#intake.sampleRate);
    return hasSentWords(utterance, skip > 0 ? sent + 1 : sent);
  }

  /** True if the service has closed the socket with this code while it was waiting for more of a text. */
  #wasWaiting({ more, lastMs }: SentUtterance, code: number): boolean {
    const isQuiet = this.#to.clock.now() - lastMs >= QUIET_MS;
    return more && (code === CLOSE_IDLE || ((code === CLOSE_DRAINING || code === CLOSE_DONE) && isQuiet));
  }

  /** Fails utterances whose connection has died, except for the rest of the first one if another one can speak it. */
  #failOrResume(left: SentUtterance[], cause: FailureCause): void {
    const [first] = left;
    if (first && this.#resume(first)) left.shift();
    this.#intake.fail(left, cause);
  }

  /**
   * Lets the rest of an utterance, after its last whole word, be spoken on another connection.
   *
   * @returns False if that is impossible, or if too much would be heard twice.
   */
  #resume(utterance: SentUtterance): boolean {
    if (!this.#rules.canResume(utterance)) return false;
    const { serial } = utterance;
    const { pause, ...part } = wholePart(utterance, this.#intake.sampleRate);
    if (part.sent === utterance.sent && part.words === utterance.words.length && part.words > 0) {
      this.#keepRest(utterance);
      return true;
    }
    if (this.#rules.timesLag(utterance)) return false;
    utterance.samples = this.#intake.tape.cutOff(serial, part.samples);
    utterance.words.length = part.words;
    if (pause > 0 && utterance.samples === part.samples) {
      this.#intake.tape.push(serial, new Int16Array(pause));
      utterance.samples += pause;
    }
    utterance.past = { ...part, samples: utterance.samples };
    resetForRetry(utterance);
    utterance.resumptions++;
    utterance.isResuming = true;
    this.#intake.counters.flush();
    this.#to.report({ type: 'resuming', serial, words: part.words, samples: utterance.samples });
    this.#queue.unshift(utterance);
    return true;
  }

  /** Settles an utterance whose text is spoken, or lets it wait for the rest of its text, and for words without an answer. */
  #keepRest(utterance: SentUtterance, cause?: FailureCause): void {
    utterance.past = answeredPart(utterance);
    resetForRetry(utterance);
    if (utterance.texts === null || !(utterance.more || hasWords(utterance))) return this.#intake.settle(utterance);
    if (cause && !this.#rules.canRenew) utterance.refusal = cause;
    this.#queue.unshift(utterance);
  }

  /** Requests another connection for utterances of which nothing was heard on the last one. */
  lose(left: SentUtterance[], cause: FailureCause): void {
    left.forEach(resetForRetry);
    this.#queue.unshift(...left);
    if (left.length > 0) this.#onLost(left, cause);
  }
}
