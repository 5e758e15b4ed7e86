// server.js
import { createServer } from 'node:http';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

export const server = createServer(nodeHandler(backend)).listen(process.env.PORT ?? 3000);
