import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientKey } from '../../src/clients/client-key.js';

describe('spec 8: the key of a client', () => {
  it('is its IPv4 address, however it is written', () => {
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '192.0.2.1:4711']) {
      assert.equal(clientKey(address), '192.0.2.1', address);
    }
  });

  it('is the first 64 bits of its IPv6 address, because a client may use every address with them', () => {
    const one = clientKey('2001:db8:1:2:3:4:5:6');
    assert.equal(clientKey('2001:0db8:1:2::9'), one);
    assert.equal(clientKey('[2001:db8:1:2::9]:443'), one);
    assert.notEqual(clientKey('2001:db8:1:3::9'), one);
  });

  it('is the same for all clients without a valid address', () => {
    for (const address of [undefined, '', 'garbage', '1.2.3.4.5', '_hidden', '192.0.2.1, 192.0.2.2']) {
      assert.equal(clientKey(address), clientKey(undefined), String(address));
    }
  });
});
