// server.js
import express from 'express';
import { createSpeechBackend, nodeHandler } from 'svc-speaker/backend.js';

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;
export const app = express();
app.use('/speech', nodeHandler(createSpeechBackend({ baseUrl, apiKey })));
app.use(express.static('public'));
export const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw new Error(`The server cannot start: ${error.message}. Set PORT to another port.`);
  console.log(`Open http://localhost:${server.address().port}/`);
});
