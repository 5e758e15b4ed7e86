// server.js
import { Hono } from 'hono';
import { backend } from './speech.js';

const app = new Hono();
app.all('/speech/*', (context) => backend.fetch(context.req.raw));
export default app;
