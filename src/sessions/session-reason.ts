/** Why a session is requested. */
export type SessionReason = 'play' | 'speak' | 'retry';
