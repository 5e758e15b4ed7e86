import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { LIMITS } from '../../src/limits.js';
import { addHealth } from '../../src/telemetry/health.js';
import { addHttpMetrics, addMetricsRoute } from '../../src/telemetry/http-metrics.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { addOpenApi } from '../../src/api/openapi.js';
import { sessionRouteOptions } from '../../src/session/session-schema.js';
import { StubEngine } from '../support/stub-engine.js';
import { openApiErrors } from './openapi-structure.js';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document, read in a hundred places

const engine = new StubEngine();

/** Document of a service with the session route, a route with parameters, and the routes for operators. */
async function documentOf(publicUrl?: URL): Promise<Json> {
  const app = Fastify();
  const metrics = createMetrics({ engine });
  addHttpMetrics(app, metrics);
  await app.register(async (root) => {
    await addOpenApi(root, publicUrl ? { publicUrl } : {});
    addHealth(root, { engine, database: { query: async () => [] }, isDraining: () => false, report: () => {} });
    addMetricsRoute(root, metrics);
    root.get('/realtime/stream', async () => ({}));
    await root.register(
      async (api) => {
        api.setNotFoundHandler(async (_request, reply) => reply.code(404).send({}));
        api.post('/realtime/stream/session', sessionRouteOptions(engine, LIMITS), async () => ({}));
        api.get(
          '/things/:id',
          {
            schema: {
              params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
              querystring: { type: 'object', properties: { name: { type: 'string', default: 'my name' } } },
              response: { 404: { description: 'There is no such thing.', type: 'object' } },
            },
          },
          async () => ({}),
        );
      },
      { prefix: '/api/v1' },
    );
  });
  const answer = await app.inject('/openapi.json');
  await app.close();
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  return answer.json();
}

describe('GET /openapi.json', () => {
  it('is an OpenAPI 3.1 document, with schemas of JSON Schema 2020-12', async () => {
    assert.deepEqual(openApiErrors(await documentOf()), []);
    assert.deepEqual(openApiErrors(await documentOf(new URL('https://speech.example/voices/'))), []);
  });

  it('is reported as invalid after a change that makes it so', async () => {
    const document = await documentOf();
    const thing = document.paths['/api/v1/things/{id}'].get;
    for (const [spoil, what] of [
      [() => (document.openapi = '3.0.3'), /openapi/],
      [() => (thing.nonsense = true), /additional/],
      [() => (thing.parameters[0].schema.type = 'word'), /schema is invalid/],
      [() => thing.parameters.pop(), /has the parameters none/],
    ] as const) {
      const before = openApiErrors(document).length;
      spoil();
      const errors = openApiErrors(document);
      assert.ok(errors.length > before && errors.some((error) => what.test(error)), errors.join('; '));
    }
  });

  it('asks for the key in its header', async () => {
    const { security, components } = await documentOf();
    assert.deepEqual(security, [{ apiKey: [] }]);
    assert.deepEqual(components.securitySchemes, {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-Api-Key' },
    });
  });

  it('describes the routes for clients, and no route for operators', async () => {
    const { paths } = await documentOf();
    assert.deepEqual(
      Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods as Json).map((method) => [method, path])),
      [
        ['post', '/api/v1/realtime/stream/session'],
        ['get', '/api/v1/things/{id}'],
      ],
    );
  });

  it('has every path parameter of a path', async () => {
    const { parameters } = (await documentOf()).paths['/api/v1/things/{id}'].get;
    assert.deepEqual(
      parameters.map((each: Json) => [each.in, each.name, each.required ?? false]),
      [
        ['query', 'name', false],
        ['path', 'id', true],
      ],
    );
  });

  it('describes the body of the session call', async () => {
    const { requestBody } = (await documentOf()).paths['/api/v1/realtime/stream/session'].post;
    assert.notEqual(requestBody.required, true);
    const { properties } = requestBody.content['application/json'].schema;
    assert.deepEqual(properties.voice_id.enum, ['one', 'two', null]);
    assert.equal(properties.input.maxLength, LIMITS.textLength);
    assert.equal(properties.sampling.properties.rate.maximum, 2);
  });

  it('has the errors of the session call (spec 7.1), each with a detail', async () => {
    const { responses } = (await documentOf()).paths['/api/v1/realtime/stream/session'].post;
    assert.deepEqual(Object.keys(responses), ['200', '400', '401', '402', '413', '415', '422', '429', '503']);
    for (const [status, response] of Object.entries(responses as Json)) {
      if (status === '200') continue;
      assert.deepEqual(response.content['application/json'].schema.required, ['detail'], status);
      assert.ok(response.description.endsWith('.'), status);
    }
  });

  it('adds the common responses to routes that do not declare them', async () => {
    const { responses } = (await documentOf()).paths['/api/v1/things/{id}'].get;
    assert.deepEqual(Object.keys(responses), ['401', '404', '429', '503']);
    assert.equal(responses[404].description, 'There is no such thing.');
  });

  it('has the headers of the rate limit with every answer, and Retry-After with a 429', async () => {
    const { responses } = (await documentOf()).paths['/api/v1/things/{id}'].get;
    for (const { headers } of Object.values(responses as Json)) assert.ok(headers['X-RateLimit-Remaining']);
    assert.ok(responses[429].headers['Retry-After']);
    assert.ok(!responses[401].headers['Retry-After']);
  });

  it('names the public address, if there is one', async () => {
    assert.deepEqual((await documentOf(new URL('https://speech.example/voices/'))).servers, [
      { url: 'https://speech.example/voices' },
    ]);
    assert.equal((await documentOf()).servers, undefined);
  });
});
