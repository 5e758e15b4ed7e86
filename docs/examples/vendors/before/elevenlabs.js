import { Conversation } from '@elevenlabs/client';

/** Starts a conversation with an agent. `endSession()` of the result ends it. */
export function converse(signedUrl, show) {
  return Conversation.startSession({
    signedUrl,
    onMessage: ({ role, message }) => show(role, message),
    onError: (message) => show('error', message),
  });
}
