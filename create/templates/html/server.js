import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

/** Files of the page by path, each with its type. */
const FILES = {
  '/': ['public/index.html', 'text/html'],
  '/main.js': ['public/main.js', 'text/javascript'],
};
/** The element, and the files that it loads when they are needed. */
const SPEAKER = /^\/svc-speaker\/([\w-]+\.js)$/;
const speech = nodeHandler(backend);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname.startsWith('/speech/')) {
    await speech(request, response);
    return;
  }
  const [, name] = SPEAKER.exec(pathname) ?? [];
  const [file, type] = name
    ? [`node_modules/svc-speaker/dist/cdn/${name}`, 'text/javascript']
    : (FILES[pathname] ?? []);
  const content = file && (await readFile(new URL(file, import.meta.url)).catch(() => null));
  response.writeHead(content ? 200 : 404, { 'Content-Type': `${content ? type : 'text/plain'}; charset=utf-8` });
  response.end(content ?? 'Not found');
});
server.once('error', ({ message }) => {
  throw new Error(`The server cannot start: ${message}. Set PORT to another port.`);
});
server.listen(process.env.PORT ?? 3000, () => console.log(`Open http://localhost:${server.address().port}/`));
