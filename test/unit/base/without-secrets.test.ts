import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutSecrets } from '../../../src/base/without-secrets.js';

describe('withoutSecrets', () => {
  it('leaves the base of relative URLs that fetch() accepts (sveltejs/kit 11179, vercel/next.js 97471)', () => {
    for (const user of ['', 'user@', 'user:pass@', 'user:p%40ss%2F@', ':pass@']) {
      const base = withoutSecrets(`https://${user}host.example:8443/a//b@c/page?next=//d@e#f`);
      const request = new Request(new URL('speech/session', base));
      assert.equal(request.url, 'https://host.example:8443/a//b@c/speech/session');
    }
  });
});
