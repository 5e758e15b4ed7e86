// server/routes/speech/[...path].js
import { backend } from '../../../speech.js';

export default defineEventHandler((event) => backend.fetch(toWebRequest(event)));
