// worker.js
import { createSpeechBackend } from 'svc-speaker/backend.js';
import { userOf } from './users.js';

export default {
  fetch(request, env) {
    const backend = createSpeechBackend({
      baseUrl: env.SVC_BASE_URL,
      apiKey: env.SVC_API_KEY,
      authorize: async (asking) => (await userOf(asking)) !== null,
    });
    return backend.fetch(request);
  },
};
