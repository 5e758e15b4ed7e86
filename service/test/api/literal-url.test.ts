import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import fc from 'fast-check';
import { literalUrl } from '../../src/api/literal-url.js';

describe('literalUrl', () => {
  for (const url of ['/', '/a/b?c=%zz', '/caf%C3%A9?x=1', '/a%20b', '/100%25', '/a?b=100%']) {
    it(`leaves ${url} alone`, () => assert.equal(literalUrl({ url }), url));
  }

  it('takes a path that cannot be decoded as it is written', () => {
    assert.equal(literalUrl({ url: '/a/100%?b=%zz' }), '/a/100%25?b=%zz');
    assert.equal(literalUrl({ url: '/%ff%20' }), '/%25ff%2520');
  });

  it('gives every request to the hooks, whatever its path', async () => {
    let counted = 0;
    const app = Fastify({ rewriteUrl: literalUrl });
    await app.register(
      async (api) => {
        api.addHook('onRequest', async () => {
          counted++;
        });
        api.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'nothing' }));
        api.get('/things/:id', async () => ({}));
      },
      { prefix: '/api/v1' },
    );
    const piece = fc.constantFrom('%', '%f', '%ff', '%C3', '%C3%A9', '%2F', '%25', '%00', 'a', '/', '?', ';', '#', '.');
    const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/api/v1/things/${pieces.join('')}`);
    await fc.assert(
      fc.asyncProperty(path, async (url) => {
        const before = counted;
        const answer = await app.inject(url);
        assert.ok([200, 404].includes(answer.statusCode), `${url}: ${answer.body}`);
        assert.equal(counted, before + 1, url);
      }),
      { numRuns: 300 },
    );
  });
});
