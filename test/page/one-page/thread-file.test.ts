import { expect } from 'chai';
import { threadFile, trustedWorkerUrl } from '../../../src/output/thread-file.js';

describe('trustedWorkerUrl', () => {
  it('passes the built-in worker', () => {
    const { url, release } = threadFile('worker', '');
    expect(String(trustedWorkerUrl(url))).to.equal(url);
    release();
  });

  it("passes a file of the page's own origin as it was written", () => {
    expect(String(trustedWorkerUrl('scripts/session.worker.js'))).to.equal('scripts/session.worker.js');
  });

  // An engine without Trusted Types accepts any URL.
  const enforced = 'trustedTypes' in globalThis ? it : it.skip;

  for (const url of ['data:text/javascript,postMessage(1)', 'https://example.com/session.worker.js']) {
    enforced(`refuses code from elsewhere: ${url}`, () => {
      expect(() => trustedWorkerUrl(url)).to.throw(TypeError, 'another origin');
    });
  }
});
