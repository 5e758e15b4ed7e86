/** Outcome of a context: completed, failed, or aborted because its socket closed. */
export type ContextOutcome = 'done' | 'error' | 'aborted';

/** Callbacks for events on sockets, for metrics and logs. Main thread. They must not throw, and must return quickly. */
export interface StreamObserver {
  /** A socket was admitted. */
  opened(): void;
  /** An admitted socket was closed, `openMs` milliseconds after its admission. */
  closed(code: number, openMs: number): void;
  /** A socket was not admitted; it was closed with `code`. */
  refused(code: number): void;
  /** The first frame of a context was handed to the socket, `ms` milliseconds after its first text was received. */
  firstFrame(ms: number): void;
  /** A frame with `seconds` of audio was handed to the socket. */
  frameSent(seconds: number): void;
  /**
   * A context ended, `ms` milliseconds after its first message was received. `problem` is the reason of an error
   * that the client did not cause; it contains nothing of the text.
   */
  contextEnded(outcome: ContextOutcome, ms: number, problem?: string): void;
}
