import express from 'express';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

const app = express();
app.use('/speech', nodeHandler(backend));
app.use(express.static('public'));
const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw new Error(`The server cannot start: ${error.message}. Set PORT to another port.`);
  console.log(`Open http://localhost:${server.address().port}/`);
});
