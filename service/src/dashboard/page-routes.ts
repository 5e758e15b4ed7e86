import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { findBuiltFile } from '../store/built-file.js';

/** Files of the page, and their types. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
} as const;

/** Allows scripts, styles, images and requests of this origin only. Markup can come from lit's templates only. */
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
  // A relative redirect also works behind a proxy that serves the service under a path.
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
