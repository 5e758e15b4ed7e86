import { Ajv2020 } from 'ajv/dist/2020.js';

const string = { type: 'string' };
const schema = { type: 'object' };
const content = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'object', additionalProperties: false, properties: { schema, example: {}, examples: {} } }, // prettier-ignore
};
const security = { type: 'array', items: { type: 'object', additionalProperties: { type: 'array', items: string } } };
/** Schema of the parts of OpenAPI 3.1.0 (sections 4.8.1 to 4.8.24) that the document has; it allows nothing else. */
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
    security,
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
            required: ['type'],
            oneOf: [{ required: ['in', 'name'] }, { required: ['scheme'] }],
            properties: {
              type: { enum: ['apiKey', 'http'] },
              in: { enum: ['query', 'header', 'cookie'] },
              name: string,
              scheme: { const: 'bearer' },
            },
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
            security,
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

/**
 * Returns the errors of an OpenAPI document of this service, as far as they can be found without the network: parts
 * that OpenAPI 3.1 does not define, schemas that are not JSON Schema 2020-12, references, and missing path parameters.
 */
export function openApiErrors(document: unknown): string[] {
  const structure = new Ajv2020({ strict: false, allErrors: true });
  structure.validate(STRUCTURE, document);
  const errors = (structure.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  const schemas = new Ajv2020({ strict: true, allowUnionTypes: true });
  let count = 0;
  for (const [path, object] of objectsOf(document)) {
    if ('$ref' in object) errors.push(`${path}: a reference, of which this service makes none`);
    if (!path.endsWith('/schema')) continue;
    count++;
    try {
      schemas.compile(object);
    } catch (error) {
      errors.push(`${path}: ${(error as Error).message}`);
    }
  }
  if (count === 0) errors.push('There is no schema in it.');
  for (const [path, methods] of Object.entries((document as Paths).paths ?? {})) {
    const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      const given = parameters.filter((each) => each.in === 'path' && each.required).map(({ name }) => name);
      const complete = given.length === names.length && names.every((name) => given.includes(name!));
      if (!complete) errors.push(`${method} ${path}: has the parameters ${given.join(', ') || 'none'}`);
    }
  }
  return errors;
}

interface Paths {
  readonly paths?: Record<string, Record<string, { parameters?: { in: string; name: string; required?: boolean }[] }>>;
}

/** Yields every object in a document, with its path. */
function* objectsOf(value: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [name, member] of Object.entries(value)) yield* objectsOf(member, `${path}/${name}`);
}
