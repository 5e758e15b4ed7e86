import { createSpeechBackend } from 'svc-speaker/backend.js';

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;

/**
 * Answers everyone while you develop. In production (NODE_ENV=production) it answers nobody until you pass
 * `authorize: (request) => …`, which says who may speak at your expense.
 */
export const backend = createSpeechBackend({ baseUrl, apiKey });
