/** Reason for a session request. */
export type SessionReason = 'play' | 'speak' | 'retry';
