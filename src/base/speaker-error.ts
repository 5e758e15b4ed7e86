/** The cause of a {@link SpeakerError}, for programs. */
export type SpeakerErrorReason =
  | 'aborted'
  | 'session-request-failed'
  | 'session-invalid'
  | 'session-expired'
  | 'protocol-unsupported'
  | 'format-unsupported'
  | 'socket-failed'
  | 'socket-closed'
  | 'service-error'
  | 'output-failed'
  | 'overflow';

/** The nearest code of `MediaError`: 1 aborted, 2 network, 3 decode, 4 source not supported. */
const codes: Record<SpeakerErrorReason, 1 | 2 | 3 | 4> = {
  aborted: 1,
  'session-request-failed': 2,
  'session-invalid': 4,
  'session-expired': 2,
  'protocol-unsupported': 4,
  'format-unsupported': 4,
  'socket-failed': 2,
  'socket-closed': 2,
  'service-error': 2,
  'output-failed': 3,
  overflow: 3,
};

/** Further facts about an error. */
export interface SpeakerErrorDetails {
  /** Code with which the socket was closed. */
  closeCode?: number | undefined;
  /** HTTP status of the response to the session request, or to the request for an audio stream. */
  httpStatus?: number | undefined;
  /** True if the same attempt may succeed with a fresh session. */
  retryable?: boolean | 'unknown';
  cause?: unknown;
}

/** The only error type of a speaker: `element.error`, and the reason with which an `Utterance` rejects. */
export class SpeakerError extends Error {
  override readonly name = 'SpeakerError';
  /** Code, as in `MediaError`. */
  readonly code: 1 | 2 | 3 | 4;
  /** The cause, for programs; `message` describes it for people, with the remedy. */
  readonly reason: SpeakerErrorReason;
  /** Code with which the socket was closed; absent if no socket was. */
  readonly closeCode?: number;
  /** HTTP status of the response to the session request or the audio stream request; absent if there was none. */
  readonly httpStatus?: number;
  /** True if the same attempt may succeed with a fresh session. */
  readonly retryable: boolean | 'unknown';

  /** @param message - What failed, why, and what to do about it. */
  constructor(reason: SpeakerErrorReason, message: string, details: SpeakerErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.reason = reason;
    this.code = codes[reason];
    if (details.closeCode !== undefined) this.closeCode = details.closeCode;
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus;
    this.retryable = details.retryable ?? false;
  }

  /** Returns a `SpeakerError` unchanged; wraps anything else, with its message, under `reason`. */
  static from(error: unknown, reason: SpeakerErrorReason): SpeakerError {
    if (error instanceof SpeakerError) return error;
    return new SpeakerError(reason, error instanceof Error ? error.message : String(error), { cause: error });
  }
}
