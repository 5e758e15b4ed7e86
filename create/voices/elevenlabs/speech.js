import { createSpeechBackend, elevenLabsSession } from 'svc-speaker/backend.js';

/**
 * Answers every request during development. In production (NODE_ENV=production) it refuses every request until you pass
 * `authorize: (request) => …`, which decides who may speak at your expense.
 */
export const backend = createSpeechBackend({
  session: elevenLabsSession({ apiKey: process.env.ELEVENLABS_API_KEY, voice: '21m00Tcm4TlvDq8ikWAM' }),
});
