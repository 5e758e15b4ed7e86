import { createSpeechBackend } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export const backend = createSpeechBackend({
  baseUrl: process.env.SVC_BASE_URL,
  apiKey: process.env.SVC_API_KEY,
  authorize: async (request) => (await userOf(request)) !== null,
  corsOrigins: ['https://app.example', 'http://localhost:5173'],
});
