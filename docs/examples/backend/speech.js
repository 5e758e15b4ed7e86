// speech.js
import { createSpeechBackend } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export const backend = createSpeechBackend({
  baseUrl: process.env.SVC_BASE_URL,
  apiKey: process.env.SVC_API_KEY,
  authorize: async (request) => (await userOf(request)) !== null,
  room: async (asked, request) => ({ avatarId: asked.avatarId, name: (await userOf(request)).id }),
});
