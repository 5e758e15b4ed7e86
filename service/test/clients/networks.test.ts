import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { isLoopback, Networks, readNetworks } from '../../src/clients/networks.js';

/** Client address that the service sees, for a peer that forwards requests of others. */
async function clientOf(list: string, peer: string, forwardedFor?: string): Promise<string> {
  const app = Fastify({ trustProxy: list === '' ? false : readNetworks('SVC_TRUST_PROXY', list) });
  app.get('/', (request, reply) => reply.send(request.ip));
  const answer = await app.inject({
    url: '/',
    remoteAddress: peer,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  });
  await app.close();
  return answer.body;
}

describe('A list of addresses and networks', () => {
  it('has commas between its entries, or is an array', () => {
    const entries = ['10.0.0.5', '10.1.0.0/16', '::1', '2001:db8::/32'];
    assert.deepEqual(readNetworks('SVC_TRUST_PROXY', ' 10.0.0.5, 10.1.0.0/16 ,::1,2001:db8::/32,'), entries);
    assert.deepEqual(readNetworks('SVC_TRUST_PROXY', entries), entries);
  });

  it('may be empty', () => {
    for (const empty of ['', ' ', ',', []]) assert.deepEqual(readNetworks('SVC_TRUST_PROXY', empty), []);
  });

  it('calls this machine loopback', () => {
    assert.deepEqual(readNetworks('SVC_TRUST_PROXY', 'loopback'), ['127.0.0.0/8', '::1/128']);
  });

  for (const wrong of [
    'true',
    '1',
    '*',
    'proxy.example',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.5:80',
    '10.0.0.0/255.0.0.0',
    '10.0.0.5/',
    'fe80::1%eth0',
    '0.0.0.0/0',
    '::/0',
  ]) {
    it(`refuses ${wrong}, and names what is possible`, () => {
      assert.throws(
        () => readNetworks('SVC_TRUST_PROXY', `10.0.0.5,${wrong}`),
        (error: Error) =>
          error instanceof RangeError &&
          error.message.startsWith('SVC_TRUST_PROXY must be addresses or networks') &&
          error.message.includes(`not ${wrong}.`),
      );
    });
  }

  it('finds an address in its networks, as IPv4 and as IPv6', () => {
    const networks = new Networks(['10.1.0.0/16', '2001:db8::5']);
    for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::5']) assert.ok(networks.has(inside), inside);
    for (const outside of ['10.2.0.1', '2001:db8::6', 'localhost', '']) assert.ok(!networks.has(outside), outside);
  });

  it('knows the names of this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(host));
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.example']) assert.ok(!isLoopback(host));
  });
});

describe('X-Forwarded-For', () => {
  it('is ignored when no proxy is trusted', async () => {
    assert.equal(await clientOf('', '198.51.100.7', '192.0.2.1'), '198.51.100.7');
  });

  it('is ignored if the peer is not trusted', async () => {
    assert.equal(await clientOf('10.0.0.5', '198.51.100.7', '192.0.2.1'), '198.51.100.7');
  });

  it('names the client of a trusted proxy', async () => {
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '192.0.2.1'), '192.0.2.1');
  });

  it('is read from the right, up to the first address that is not trusted', async () => {
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '10.0.0.5, 127.0.0.1, 192.0.2.1'), '192.0.2.1');
    assert.equal(await clientOf('10.0.0.5', '10.0.0.5', '203.0.113.9, 192.0.2.1'), '192.0.2.1');
  });

  it('is followed through a chain of trusted proxies', async () => {
    assert.equal(await clientOf('10.0.0.5,10.1.0.0/16', '10.0.0.5', '203.0.113.9, 192.0.2.1, 10.1.2.3'), '192.0.2.1');
  });

  it('is honoured from a trusted proxy that connects over an IPv6 socket', async () => {
    assert.equal(await clientOf('10.0.0.5', '::ffff:10.0.0.5', '192.0.2.1'), '192.0.2.1');
    assert.equal(await clientOf('10.0.0.5', '::ffff:10.0.0.6', '192.0.2.1'), '::ffff:10.0.0.6');
  });
});
