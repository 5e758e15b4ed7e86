import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { LIMITS } from '../../src/limits.js';
import { addHealth } from '../../src/operations/health.js';
import { addHttpMetrics, addMetricsRoute } from '../../src/operations/http-metrics.js';
import { createMetrics } from '../../src/operations/metrics.js';
import { addOpenApi } from '../../src/operations/openapi.js';
import { sessionRouteOptions } from '../../src/operations/session-schema.js';
import { StubEngine } from '../support/stub-engine.js';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document, read in a hundred places

const engine = new StubEngine();

/** The document of a service with the session route, a route with parameters, and what is for who runs it. */
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

/** Every object in a document, with the path to it. */
function* objectsOf(value: unknown, path = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [name, member] of Object.entries(value)) yield* objectsOf(member, `${path}/${name}`);
}

const string = { type: 'string' };
const schema = { type: 'object' };
const content = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'object', additionalProperties: false, properties: { schema, example: {}, examples: {} } }, // prettier-ignore
};
/** What OpenAPI 3.1.0 (sections 4.8.1 to 4.8.24) allows in the parts that the document has; nothing else. */
const STRUCTURE = {
  type: 'object',
  additionalProperties: false,
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: {
      type: 'object',
      additionalProperties: false,
      required: ['title', 'version'],
      properties: {
        title: string,
        version: string,
        description: string,
        license: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: { name: string, identifier: string },
        },
      },
    },
    servers: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, required: ['url'], properties: { url: string } },
    },
    security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array', items: string } } },
    components: {
      type: 'object',
      additionalProperties: false,
      properties: {
        schemas: { type: 'object', additionalProperties: schema },
        securitySchemes: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            additionalProperties: false,
            required: ['type', 'in', 'name'],
            properties: { type: { const: 'apiKey' }, in: { enum: ['query', 'header', 'cookie'] }, name: string },
          },
        },
      },
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        propertyNames: { enum: ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] },
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          required: ['responses'],
          properties: {
            operationId: string,
            summary: string,
            description: string,
            tags: { type: 'array', items: string },
            parameters: {
              type: 'array',
              items: {
                type: 'object',
                additionalProperties: false,
                required: ['name', 'in', 'schema'],
                properties: {
                  name: string,
                  in: { enum: ['query', 'header', 'path', 'cookie'] },
                  required: { type: 'boolean' },
                  description: string,
                  schema,
                },
              },
            },
            requestBody: {
              type: 'object',
              additionalProperties: false,
              required: ['content'],
              properties: { content, description: string, required: { type: 'boolean' } },
            },
            responses: {
              type: 'object',
              minProperties: 1,
              propertyNames: { pattern: '^[1-5]\\d\\d$' },
              additionalProperties: {
                type: 'object',
                additionalProperties: false,
                required: ['description'],
                properties: {
                  description: string,
                  content,
                  headers: {
                    type: 'object',
                    additionalProperties: {
                      type: 'object',
                      additionalProperties: false,
                      required: ['schema'],
                      properties: { description: string, schema },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

describe('GET /openapi.json', () => {
  it('has the structure of OpenAPI 3.1', async () => {
    const validate = new Ajv2020({ strict: false }).compile(STRUCTURE);
    const document = await documentOf(new URL('https://speech.example/voices/'));
    assert.ok(validate(document), JSON.stringify(validate.errors, null, 1));
  });

  it('has schemas of JSON Schema 2020-12 only', async () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    const schemas = [...objectsOf(await documentOf())].filter(([path]) => path.endsWith('/schema'));
    assert.ok(schemas.length > 20, `${schemas.length} schemas`);
    for (const [path, each] of schemas) assert.doesNotThrow(() => ajv.compile(each), path);
  });

  it('refers to nothing that is not in it', async () => {
    const document = await documentOf();
    for (const [path, { $ref }] of objectsOf(document)) assert.equal($ref, undefined, path);
    assert.deepEqual(document.security, [{ apiKey: [] }]);
    assert.deepEqual(document.components.securitySchemes, {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-Api-Key' },
    });
  });

  it('describes what clients call, and nothing that is for who runs the service', async () => {
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

  it('says what the session call takes', async () => {
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

  it('adds what all routes have in common to those that do not say it', async () => {
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
