/**
 * Reason why text was not spoken: it contains nothing to speak, the voice does not support its script, the engine
 * failed or took too long, the engine is not available, or the account has no free slot.
 */
export type SpeechFailure =
  | 'nothing-to-speak'
  | 'foreign-script'
  | 'engine-failed'
  | 'took-too-long'
  | 'unavailable'
  | 'no-slot';

/** Error for text that was not spoken, or only in part. The message is sent to the client. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly reason: SpeechFailure;

  constructor(reason: SpeechFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
