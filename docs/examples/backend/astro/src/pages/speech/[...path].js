// src/pages/speech/[...path].js
import { backend } from '../../../speech.js';

export const prerender = false;
export const ALL = ({ request }) => backend.fetch(request);
