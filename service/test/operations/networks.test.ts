import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { trustedProxies } from '../../src/operations/trusted-proxies.js';

/** Who the client is, for a peer that forwards for others. */
async function clientOf(list: string, peer: string, forwardedFor?: string): Promise<string> {
  const app = Fastify({ trustProxy: trustedProxies(list) });
  app.get('/', (request, reply) => reply.send(request.ip));
  const answer = await app.inject({
    url: '/',
    remoteAddress: peer,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  });
  await app.close();
  return answer.body;
}

describe('SVC_TRUST_PROXY', () => {
  it('lists addresses and networks, with commas between', () => {
    assert.deepEqual(trustedProxies(' 10.0.0.5, 10.1.0.0/16 ,::1,2001:db8::/32,'), [
      '10.0.0.5',
      '10.1.0.0/16',
      '::1',
      '2001:db8::/32',
    ]);
    assert.deepEqual(trustedProxies(['10.0.0.5']), ['10.0.0.5']);
  });

  it('trusts nobody when it is empty', () => {
    for (const empty of ['', ' ', ',', []]) assert.equal(trustedProxies(empty), false);
  });

  for (const wrong of [
    'true',
    '1',
    '*',
    'loopback',
    'proxy.example',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.5:80',
    '10.0.0.0/255.0.0.0',
    '10.0.0.5/',
    'fe80::1%eth0',
  ]) {
    it(`refuses ${wrong}, and says what would be right`, () => {
      assert.throws(
        () => trustedProxies(`10.0.0.5,${wrong}`),
        (error: Error) =>
          error instanceof RangeError && error.message.includes(`not ${wrong}.`) && error.message.includes('10.0.0.5'),
      );
    });
  }

  it('refuses to trust everybody', () => {
    for (const everybody of ['0.0.0.0/0', '::/0']) assert.throws(() => trustedProxies(everybody), RangeError);
  });
});

describe('X-Forwarded-For', () => {
  it('says nothing when nobody is trusted', async () => {
    assert.equal(await clientOf('', '198.51.100.7', '192.0.2.1'), '198.51.100.7');
  });

  it('says nothing in the mouth of a peer that is not trusted', async () => {
    assert.equal(await clientOf('10.0.0.5', '198.51.100.7', '192.0.2.1'), '198.51.100.7');
  });

  it('names the client of a trusted proxy', async () => {
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '192.0.2.1'), '192.0.2.1');
  });

  it('is believed from the right only, up to the first that is not trusted', async () => {
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '10.0.0.5, 127.0.0.1, 192.0.2.1'), '192.0.2.1');
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '203.0.113.9, 192.0.2.1'), '192.0.2.1');
  });

  it('is followed through a chain of trusted proxies', async () => {
    assert.equal(await clientOf('10.0.0.5,10.1.0.0/16', '10.0.0.5', '203.0.113.9, 192.0.2.1, 10.1.2.3'), '192.0.2.1');
  });

  it('is believed of a trusted proxy that comes over IPv6 sockets', async () => {
    assert.equal(await clientOf('10.0.0.5', '::ffff:10.0.0.5', '192.0.2.1'), '192.0.2.1');
    assert.equal(await clientOf('10.0.0.5', '::ffff:10.0.0.6', '192.0.2.1'), '::ffff:10.0.0.6');
  });
});
