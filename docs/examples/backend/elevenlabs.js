// speech.js
import { createSpeechBackend, elevenLabsSession } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export const backend = createSpeechBackend({
  session: elevenLabsSession({ apiKey: process.env.ELEVENLABS_API_KEY, voice: '21m00Tcm4TlvDq8ikWAM' }),
  authorize: async (request) => (await userOf(request)) !== null,
});
