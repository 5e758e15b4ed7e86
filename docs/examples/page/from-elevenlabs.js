import 'svc-speaker/define.js';
import { Conversation } from '@elevenlabs/client';
import { createElevenLabsAnswers } from './agents.js';

/** Starts a conversation with an agent. `endSession()` of the result ends it. */
export function converse(signedUrl, show) {
  const answers = createElevenLabsAnswers(16000); // the output format of the agent is `pcm_16000`
  return Conversation.startSession({
    signedUrl,
    onConversationCreated: (conversation) => conversation.setVolume({ volume: 0 }), // The speaker plays.
    onIncomingEvent: answers.receive,
    onDisconnect: answers.end,
    onMessage: ({ role, message }) => show(role, message),
    onError: (message) => show('error', message),
  });
}
