// speech.js
import { createSpeechBackend, deepgramSession } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export const backend = createSpeechBackend({
  session: deepgramSession({ apiKey: process.env.DEEPGRAM_API_KEY, voice: 'aura-2-thalia-en' }),
  authorize: async (request) => (await userOf(request)) !== null,
});
