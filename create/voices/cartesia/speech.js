import { createSpeechBackend, cartesiaSession } from 'svc-speaker/backend.js';

/**
 * Answers every request during development. In production (NODE_ENV=production) it refuses every request until you pass
 * `authorize: (request) => …`, which decides who may speak at your expense.
 */
export const backend = createSpeechBackend({
  session: cartesiaSession({ apiKey: process.env.CARTESIA_API_KEY, voice: 'e07c00bc-4134-4eae-9ea4-1a55fb45746b' }),
});
