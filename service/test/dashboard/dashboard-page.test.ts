import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { host } from '../support/host.js';
import { ADMIN_TOKEN } from './admin-client.js';

describe('the page of the dashboard', () => {
  let url: string;
  before(async () => {
    const { service } = await host({ adminToken: ADMIN_TOKEN });
    url = service.url;
  });

  it('redirects from /admin with a relative address, which also holds behind a path of a proxy', async () => {
    const answer = await fetch(`${url}/admin`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, 'admin/']);
  });

  it('has a policy that allows nothing but its own files, no inline code, and no frame', async () => {
    const answer = await fetch(`${url}/admin/`);
    assert.equal(answer.status, 200);
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
    );
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
  });

  it('is served with every file that it loads, and nothing else', async () => {
    const page = await (await fetch(`${url}/admin/`)).text();
    const files = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, file]) => file!);
    assert.deepEqual(files.toSorted(), ['dashboard.css', 'dashboard.js']);
    for (const [file, type] of [
      ['dashboard.css', 'text/css; charset=utf-8'],
      ['dashboard.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const answer = await fetch(`${url}/admin/${file}`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
      assert.doesNotMatch(await answer.text(), /https?:\/\/(?!www\.w3\.org|localhost)/);
    }
    for (const file of ['nothing', 'index.html', '..%2fcli.js']) {
      assert.equal((await fetch(`${url}/admin/${file}`)).status, 404, file);
    }
  });
});
