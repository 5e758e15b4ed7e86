import { backend } from '../../../speech.js';

export const dynamic = 'force-dynamic';
export const GET = (request) => backend.fetch(request);
export const POST = (request) => backend.fetch(request);
export const OPTIONS = (request) => backend.fetch(request);
