// server.js
import express from 'express';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

export const app = express();
app.use('/speech', nodeHandler(backend));
export const server = app.listen(process.env.PORT ?? 3000);
