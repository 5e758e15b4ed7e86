import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { findBuiltFile } from '../store/built-file.js';

/** Files of the page, and their types. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
} as const;

/** Scripts, styles, images and requests of this origin only; lit's templates are the only source of markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

/** Adds the page of the dashboard and its files. They contain no secret, so they need no login. */
export function addPageRoutes(app: FastifyInstance): void {
  const headers = { 'cache-control': 'no-cache', 'content-security-policy': POLICY };
  // Relative, so that it also holds where a proxy puts the service below a path.
  app.get('/', { prefixTrailingSlash: 'no-slash', schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('admin/', 308),
  );
  for (const [name, type] of Object.entries(FILES)) {
    const file = findBuiltFile(`dashboard/${name}`);
    const contents = file === null ? null : readFileSync(file);
    const url = name === 'index.html' ? '/' : `/${name}`;
    app.get(url, { prefixTrailingSlash: 'slash', schema: { hide: true } }, async (_request, reply) => {
      if (contents) return reply.headers(headers).type(type).send(contents);
      return reply.code(404).send({ detail: 'The dashboard is not built: run npm run build.' });
    });
  }
}
