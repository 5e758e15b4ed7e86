import type { SpeakerCommand } from './command.js';
import type { Intake } from './intake.js';
import type { SentUtterance } from './sent-utterance.js';
import { wholeSamples } from './whole-part.js';

/** Number of times that the rest of one utterance is sent to another connection because one has died in the middle. */
const RESUMPTIONS = 3;
/** Longest speech, in seconds, that may be heard twice then: a word that was not received to its end. */
const REPEATED_SECONDS = 1;

/** Decides what can be spoken on another connection if one dies. Worker thread. */
export class ResumeRules {
  readonly #intake: Intake;
  #canRenew = false;
  /** Seconds to write ahead of what is heard, of speech that may be cut off; null if the rest of it is not spoken again. */
  #lead: number | null = null;
  /** True if the service reports when words are spoken. */
  isTimed = false;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** Call for each connection. */
  begin({ session, canRenew, lead }: Extract<SpeakerCommand, { type: 'connect' }>): void {
    this.#canRenew = canRenew;
    this.#lead = canRenew ? lead : null;
    this.isTimed = session.timings ?? false;
    if (this.#lead !== null) this.#intake.tape.setLead(this.#lead * session.sampleRate);
  }

  /** True if the source of sessions can give another one. */
  get canRenew(): boolean {
    return this.#canRenew;
  }

  /** True if the rest of an utterance can be spoken on another connection. */
  canResume({ texts, resumptions, cancelled }: SentUtterance): boolean {
    return this.isTimed && this.#lead !== null && texts !== null && resumptions < RESUMPTIONS && !cancelled;
  }

  /** True if more than a word of its speech was handed to the output before the service has reported its times. */
  timesLag(utterance: SentUtterance): boolean {
    const whole = wholeSamples(utterance, this.#intake.sampleRate);
    return this.#intake.tape.written(utterance.serial) - whole > REPEATED_SECONDS * this.#intake.sampleRate;
  }

  /** Number of samples of an utterance that will stay, whatever happens to its connection. */
  firmSamples(utterance: SentUtterance): number {
    return this.canResume(utterance) ? wholeSamples(utterance, this.#intake.sampleRate) : Infinity;
  }
}
