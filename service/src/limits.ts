/**
 * What a client may ask for. The vendor's limits are not shown (interface-spec 8); these are ours, and README.md lists
 * them. Text is counted in UTF-16 code units.
 */
export interface Limits {
  /** Body of a session call, in bytes; more is refused with 413. */
  readonly bodyBytes: number;
  /** One message on the socket, in bytes; more closes it with 1009. Above what `textLength` takes at its widest. */
  readonly messageBytes: number;
  /** Bytes that a client may send on a socket in a second; it has to wait with more. */
  readonly inboundBytesPerSecond: number;
  /** Bytes that it may send at once, after it has sent nothing for a while. */
  readonly inboundBurstBytes: number;
  /** Text of one `synthesize` message, and `input` of a session call. */
  readonly textLength: number;
  /** Text on a socket that waits to be spoken. */
  readonly waitingTextLength: number;
  /** Contexts on a socket that are not done. */
  readonly waitingContexts: number;
  /**
   * How long a socket may neither send a message nor take audio, in ms; then it is closed with 4408. Text for a context that
   * has failed is no message.
   */
  readonly idleMs: number;
  /** Time between two pings of a socket, in ms. A client that does not answer one before the next is gone. */
  readonly pingMs: number;
  /** How long a context without an `end` waits for more text, in ms. */
  readonly contextIdleMs: number;
  /** The same while another context is waiting behind it, in ms. */
  readonly contextIdleWhileOthersWaitMs: number;
  /** Audio that may wait in a socket for a slow reader, in bytes; no more is made meanwhile. */
  readonly waitingAudioBytes: number;
  /** How long contexts that have begun may take to be finished when the service drains, in ms. */
  readonly drainMs: number;
  /** How long sockets get to close when the service stops, and how long their bills get to be written, in ms. */
  readonly closeMs: number;
  /** Calls below `/api/v1` that a client's address may make in a minute, and sockets whose token is refused. */
  readonly requestsPerMinute: number;
  /** How long counting a call in the database may take, in ms; then the client gets 503. */
  readonly countingMs: number;
  /** How long a request may take to arrive, and a connection may be silent before its upgrade, in ms. */
  readonly requestMs: number;
  /** How long a socket may wait for a slot that is about to be free, in ms. */
  readonly slotGraceMs: number;
  /** Time between two readings of the meters, in ms. Slots of a node that died are free after two of them. */
  readonly heartbeatMs: number;
}

/** The limits unless told otherwise. */
export const LIMITS: Limits = {
  bodyBytes: 128 * 1024,
  messageBytes: 128 * 1024,
  inboundBytesPerSecond: 64 * 1024,
  inboundBurstBytes: 256 * 1024,
  textLength: 10_000,
  waitingTextLength: 100_000,
  waitingContexts: 100,
  idleMs: 60_000,
  pingMs: 10_000,
  contextIdleMs: 15_000,
  contextIdleWhileOthersWaitMs: 2_000,
  waitingAudioBytes: 256 * 1024,
  drainMs: 30_000,
  closeMs: 2_000,
  requestsPerMinute: 200,
  countingMs: 2_000,
  requestMs: 30_000,
  slotGraceMs: 300,
  heartbeatMs: 2_000,
};
