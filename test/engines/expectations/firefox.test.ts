import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectCutTail } from './closing.js';
import { expectPendingResume } from './gesture.js';

/** If one of these fails, Firefox no longer needs the workaround with that id: see docs/browsers.md. */
describe('Firefox', () => {
  expectPendingResume();
  expectCutTail();

  it('firefox-latency-hang: hangs if `outputLatency` is read while a worklet is at work', async function () {
    this.timeout(60_000);
    const anyPage = new URL('/test/setup/gateway.js', location.href).href;
    expect(await executeServerCommand('hangs-on-latency', anyPage)).to.equal(true);
  });
});
