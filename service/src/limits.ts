/**
 * Limits for clients. The vendor's limits are not public (interface-spec 8); these are this service's own, and
 * README.md lists them. Lengths of text are in UTF-16 code units.
 */
export interface Limits {
  /** Maximum body of a session call, in bytes; a larger one is refused with 413. */
  readonly bodyBytes: number;
  /**
   * Maximum size of a message on the socket, in bytes; a larger one closes it with 1009. Above any `textLength` text.
   */
  readonly messageBytes: number;
  /** Bytes per second that a client may send on a socket; further data waits. */
  readonly inboundBytesPerSecond: number;
  /** Bytes that a client may send at once after a pause. */
  readonly inboundBurstBytes: number;
  /** Messages and pings per second that a client may send on a socket; further ones wait. */
  readonly inboundMessagesPerSecond: number;
  /** Messages and pings that a client may send at once after a pause. */
  readonly inboundBurstMessages: number;
  /** Maximum text of one `synthesize` message, and of `input` in a session call. */
  readonly textLength: number;
  /** Maximum text that waits on a socket to be spoken. */
  readonly waitingTextLength: number;
  /** Maximum number of unfinished contexts on a socket. */
  readonly waitingContexts: number;
  /**
   * Time after which a socket that neither sends a message nor takes audio is closed with 4408, in ms. Text for a
   * failed context does not count as a message.
   */
  readonly idleMs: number;
  /** Time between two pings of a socket, in ms. A client that has not answered by the next ping is gone. */
  readonly pingMs: number;
  /** Time that a context without an `end` waits for more text, in ms. */
  readonly contextIdleMs: number;
  /** The same while another context waits behind it, in ms. */
  readonly contextIdleWhileOthersWaitMs: number;
  /** Maximum audio that waits in a socket for a slow reader, in bytes; synthesis pauses above it. */
  readonly waitingAudioBytes: number;
  /** Bytes of any kind that wait in a socket for its client; more close the socket with 1009. */
  readonly unreadBytes: number;
  /** Time to finish contexts that have begun when the service drains, in ms. */
  readonly drainMs: number;
  /** Time for sockets to close, and for charges to be written, when the service stops, in ms. */
  readonly closeMs: number;
  /** Calls below `/api/v1`, and sockets with a refused token, per minute and client address. */
  readonly requestsPerMinute: number;
  /** Maximum time for counting a call in the database, in ms; then the client gets 503. */
  readonly countingMs: number;
  /** Maximum time for a request to arrive, and for a connection to be silent before its upgrade, in ms. */
  readonly requestMs: number;
  /** Maximum time that a socket waits for a slot that is about to be free, in ms. */
  readonly slotGraceMs: number;
  /** Maximum time that a context waits for the answer about its slot, in ms; then it is spoken. */
  readonly slotAnswerMs: number;
  /** Time between two readings of the meters, in ms. The slots of a node that died are free after two of them. */
  readonly heartbeatMs: number;
}

/** The default limits. */
export const LIMITS: Limits = {
  bodyBytes: 128 * 1024,
  messageBytes: 128 * 1024,
  inboundBytesPerSecond: 64 * 1024,
  inboundBurstBytes: 256 * 1024,
  inboundMessagesPerSecond: 200,
  inboundBurstMessages: 2000,
  textLength: 10_000,
  waitingTextLength: 100_000,
  waitingContexts: 100,
  idleMs: 60_000,
  pingMs: 10_000,
  contextIdleMs: 15_000,
  contextIdleWhileOthersWaitMs: 2_000,
  waitingAudioBytes: 256 * 1024,
  unreadBytes: 1024 * 1024,
  drainMs: 30_000,
  closeMs: 2_000,
  requestsPerMinute: 200,
  countingMs: 10_000,
  requestMs: 30_000,
  slotGraceMs: 300,
  slotAnswerMs: 1_000,
  heartbeatMs: 2_000,
};
