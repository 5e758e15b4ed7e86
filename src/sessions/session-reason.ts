/**
 * Reason for a session request: `play()` or `speak()`; `retry`, because a socket ended before any audio of an utterance;
 * `resume`, for the rest of an utterance whose socket ended in the middle, or before its text.
 */
export type SessionReason = 'play' | 'speak' | 'retry' | 'resume';
