import { createSpeechBackend } from 'svc-speaker/backend.js';

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;

/**
 * Answers every request during development. In production (NODE_ENV=production) it refuses every request until you pass
 * `authorize: (request) => …`, which decides who may speak at your expense.
 */
export const backend = createSpeechBackend({ baseUrl, apiKey });
