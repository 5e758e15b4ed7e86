/**
 * Why text was not spoken: it holds nothing to speak, it is not in a script of the voice, the engine failed at it or
 * took too long, the engine is gone, or the account has no free slot.
 */
export type SpeechFailure =
  | 'nothing-to-speak'
  | 'foreign-script'
  | 'engine-failed'
  | 'took-too-long'
  | 'unavailable'
  | 'no-slot';

/** Text was not spoken, or not to its end. The message is for the client's eyes. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly reason: SpeechFailure;

  constructor(reason: SpeechFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
