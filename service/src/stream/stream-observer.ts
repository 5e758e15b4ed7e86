/** How a context ended: whole, in an error, or given up because its socket closed. */
export type ContextOutcome = 'done' | 'error' | 'aborted';

/** Is told what happens on sockets, for metrics and logs. Main thread; must neither throw nor take long. */
export interface StreamObserver {
  /** A socket was admitted. */
  opened(): void;
  /** A socket that was admitted is closed, `openMs` milliseconds later. */
  closed(code: number, openMs: number): void;
  /** A socket was not admitted, and closed with `code`. */
  refused(code: number): void;
  /** The first frame of a context was handed to the socket, `ms` milliseconds after its first text was received. */
  firstFrame(ms: number): void;
  /** A frame with `seconds` of audio was handed to the socket. */
  frameSent(seconds: number): void;
  /** A context ended, `ms` milliseconds after its first message was received. */
  contextEnded(outcome: ContextOutcome, ms: number): void;
}
