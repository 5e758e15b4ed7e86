// server.js
import Fastify from 'fastify';
import { nodeHandler } from 'svc-speaker/backend.js';
import { backend } from './speech.js';

const handler = nodeHandler(backend);
export const app = Fastify();
app.all('/speech/*', async (request, reply) => {
  reply.hijack();
  reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders())));
  await handler(Object.assign(request.raw, { body: request.body }), reply.raw);
});
await app.listen({ port: Number(process.env.PORT ?? 3000) });
