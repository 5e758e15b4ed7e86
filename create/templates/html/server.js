import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

/** Files of the page by path, each with its type. */
const FILES = {
  '/': ['public/index.html', 'text/html'],
  '/main.js': ['public/main.js', 'text/javascript'],
  '/svc-speaker.js': ['node_modules/svc-speaker/dist/cdn/svc-speaker.js', 'text/javascript'],
};
const speech = nodeHandler(backend);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname.startsWith('/speech/')) {
    await speech(request, response);
    return;
  }
  const [file, type] = FILES[pathname] ?? [];
  response.writeHead(file ? 200 : 404, { 'Content-Type': `${type ?? 'text/plain'}; charset=utf-8` });
  response.end(file ? await readFile(new URL(file, import.meta.url)) : 'Not found');
});
server.once('error', ({ message }) => {
  throw new Error(`The server cannot start: ${message}. Set PORT to another port.`);
});
server.listen(process.env.PORT ?? 3000, () => console.log(`Open http://localhost:${server.address().port}/`));
