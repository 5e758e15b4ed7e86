import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { PROTOCOL } from '../../../src/protocol/index.js';
import { refusalSchema } from './refusal-schema.js';

/** Path of the document. */
export const OPENAPI_PATH = '/openapi.json';

/** Prefix of the routes for clients. Health and metrics are for operators, and the socket is not HTTP. */
const CLIENT_ROUTES = '/api/v1/';

/** Prefix of the routes for administrators, which exist only with an admin token. */
const ADMIN_ROUTES = '/admin/api/';

/** Options of {@link addOpenApi}. */
export interface OpenApiOptions {
  /** Address at which clients reach the service; without one, the document's own origin applies. */
  readonly publicUrl?: URL | null;
  /** True if the service has the admin API. */
  readonly hasAdmin?: boolean;
}

/**
 * Adds `GET /openapi.json`: an OpenAPI 3.1 document of every route below `/api/v1` and `/admin/api`, generated from the
 * routes' schemas. Adds the parts that all routes share (key, 401, 429, 503, rate headers). Needs no key.
 *
 * Call it before adding any route.
 */
export async function addOpenApi(
  app: FastifyInstance,
  { publicUrl, hasAdmin = false }: OpenApiOptions = {},
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'svc-service',
        version: '1',
        description: `Speech over WebSockets (${PROTOCOL}), avatar bundles and room tokens.`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      ...(publicUrl ? { servers: [{ url: publicUrl.href.replace(/\/$/, '') }] } : {}),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-Api-Key' },
          ...(hasAdmin ? { adminToken: { type: 'http', scheme: 'bearer' } } : {}),
        },
      },
      security: [{ apiKey: [] }],
    },
    stripBasePath: false,
    transform: ({ schema, url }) => ({ schema: describeRoute(url, schema), url }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      for (const path of Object.values(document.openapiObject.paths ?? {})) {
        const body = path?.post?.requestBody;
        if (body && asksForNothing(body)) body.required = false;
      }
      return document.openapiObject;
    },
  });
  app.get(OPENAPI_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json').send(app.swagger()),
  );
}

/** Returns true if no member of a body is required. The body is optional then, but the plugin marks it as required. */
function asksForNothing(body: object): body is { required?: boolean } {
  const { content = {} } = body as { content?: Record<string, { schema?: { required?: readonly string[] } }> };
  return Object.values(content).every(({ schema }) => !schema?.required?.length);
}

const rateHeaders = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests that a client may make in a minute' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'How many of them are left' },
  'X-RateLimit-Reset': { type: 'integer', description: 'Seconds until the count begins again' },
};

const common = {
  401: refusalSchema('The key is wrong, revoked or absent.'),
  429: refusalSchema('Too many requests from this address: try again after `Retry-After` seconds.'),
  503: refusalSchema('The service cannot answer at the moment: try again later.'),
};

const adminCommon = {
  401: refusalSchema('The admin token is missing or wrong.'),
  403: refusalSchema('The request has the cookie of a login, but not its CSRF token.'),
  429: refusalSchema('Too many wrong admin tokens came from this address: try again after `Retry-After` seconds.'),
  503: common[503],
};

function describeRoute(url: string, schema: { response?: unknown } = {}): object {
  if (url.startsWith(CLIENT_ROUTES)) return describe(schema);
  if (!url.startsWith(ADMIN_ROUTES)) return { hide: true };
  return {
    tags: ['admin'],
    security: [{ adminToken: [] }],
    ...schema,
    response: { ...adminCommon, ...(schema.response as object) },
  };
}

/** Adds the shared parts to a route's schema. For the document only: it does not change any response. */
function describe(schema: { response?: unknown } = {}): object {
  const responses: Record<string, object> = { ...common, ...(schema.response as Record<string, object> | undefined) };
  for (const [status, response] of Object.entries(responses)) {
    const retryAfter = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before trying again' } };
    responses[status] = { ...response, headers: { ...rateHeaders, ...(status === '429' ? retryAfter : {}) } };
  }
  return { ...schema, response: responses };
}
