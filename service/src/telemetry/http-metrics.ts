import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSameSecret } from '../api/same-secret.js';
import type { Metrics } from './metrics.js';
import { isLoopback } from '../clients/networks.js';

/** Path of {@link addMetricsRoute}. */
export const METRICS_PATH = '/metrics';

/** Methods with a label of their own. A client may send any word as the method. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures every HTTP response. Call it on the root before any route is added, because a hook covers only later routes.
 * Sockets have metrics of their own.
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

/** Options of {@link addMetricsRoute}. */
export interface MetricsRouteOptions {
  /**
   * Token that requests must send as `Authorization: Bearer …`. Without one, only programs on this machine may read,
   * and only if the service has no public address: a proxy on this machine has a loopback address too.
   */
  readonly token?: string;
  /** Address of the service for clients; `null` if not configured. */
  readonly publicUrl?: URL | null;
}

/** Headers that proxies add. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Returns true if a request comes from a program on this machine, and not through a proxy. */
function isLocal({ headers, hostname, ip }: FastifyRequest): boolean {
  return (
    isLoopback(ip) && isLoopback(hostname.replace(/^\[|\]$/g, '')) && !PROXY_HEADERS.some((name) => name in headers)
  );
}

/** Adds `GET /metrics`, for Prometheus. The metrics show the load of the service, and no data of single accounts. */
export function addMetricsRoute(
  app: FastifyInstance,
  metrics: Metrics,
  { token, publicUrl = null }: MetricsRouteOptions = {},
): void {
  app.get(METRICS_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (token === undefined && (publicUrl !== null || !isLocal(request))) {
      return reply
        .code(403)
        .send({ detail: 'Only this machine may read the metrics, and not through a proxy: set SVC_METRICS_TOKEN.' });
    }
    if (token !== undefined && !isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ detail: 'Metrics need the token of SVC_METRICS_TOKEN: Authorization: Bearer <token>.' });
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
