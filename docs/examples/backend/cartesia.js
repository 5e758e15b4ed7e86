// speech.js
import { createSpeechBackend, cartesiaSession } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export const backend = createSpeechBackend({
  session: cartesiaSession({ apiKey: process.env.CARTESIA_API_KEY, voice: 'e07c00bc-4134-4eae-9ea4-1a55fb45746b' }),
  authorize: async (request) => (await userOf(request)) !== null,
});
