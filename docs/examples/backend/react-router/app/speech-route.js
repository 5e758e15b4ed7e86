// app/speech-route.js
import { backend } from '../speech.js';

export const loader = ({ request }) => backend.fetch(request);
export const action = ({ request }) => backend.fetch(request);
