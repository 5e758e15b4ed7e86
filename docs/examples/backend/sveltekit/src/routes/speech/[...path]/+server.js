// src/routes/speech/[...path]/+server.js
import { backend } from '../../../../speech.js';

export const fallback = ({ request }) => backend.fetch(request);
