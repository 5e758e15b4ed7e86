import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { blockListOf, isIn } from './address-list.js';
import type { Metrics } from './metrics.js';

/** Where {@link addMetricsRoute} answers. */
export const METRICS_PATH = '/metrics';

/** Addresses of this machine. */
const LOOPBACK = blockListOf(['127.0.0.0/8', '::1']);

/** Methods with a label of their own: there are dozens, and a client may send any. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures every answer. Call it on the root before any route is added: a hook covers what comes after it.
 *
 * Sockets are not among them: they have metrics of their own, and their time is the client's.
 */
export function addHttpMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'answered'>): void {
  app.addHook('onResponse', async (request, reply) => {
    if ((request as { ws?: boolean }).ws) return;
    metrics.answered({
      method: KNOWN_METHODS.has(request.method) ? request.method : 'other',
      route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}

/** Who may read metrics. */
export interface MetricsRouteOptions {
  /** What must be sent as `Authorization: Bearer …`; without one only this machine may read. */
  readonly token?: string;
}

/**
 * Adds `GET /metrics`, for Prometheus. There is nothing about single accounts in it, but how busy the service is.
 */
export function addMetricsRoute(app: FastifyInstance, metrics: Metrics, { token }: MetricsRouteOptions = {}): void {
  app.get(METRICS_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (token === undefined && !isIn(LOOPBACK, request.ip)) {
      return reply
        .code(403)
        .send({ detail: 'Only this machine may read the metrics, unless SVC_METRICS_TOKEN is set.' });
    }
    if (token !== undefined && !sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ detail: 'Metrics need the token of SVC_METRICS_TOKEN: Authorization: Bearer <token>.' });
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Compares in a time that says nothing about where they differ. */
function sameSecret(given: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(right));
}
