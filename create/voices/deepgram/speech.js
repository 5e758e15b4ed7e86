import { createSpeechBackend, deepgramSession } from 'svc-speaker/backend.js';

/**
 * Answers every request during development. In production (NODE_ENV=production) it refuses every request until you pass
 * `authorize: (request) => …`, which decides who may speak at your expense.
 */
export const backend = createSpeechBackend({
  session: deepgramSession({ apiKey: process.env.DEEPGRAM_API_KEY, voice: 'aura-2-thalia-en' }),
});
