import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { expectBrokenOff } from './closing.js';
import { expectPendingResume } from './gesture.js';

/** If one of these is red, Firefox does no longer what the file named works around: take the workaround out. */
describe('Firefox', () => {
  expectPendingResume();
  expectBrokenOff();

  it('hangs if `outputLatency` is read while a worklet is at work (src/output/audio-output.ts: FIREFOX_LATENCY)', async function () {
    this.timeout(60_000);
    const anyPage = new URL('/test/setup/gateway.js', location.href).href;
    expect(await executeServerCommand('hangs-on-latency', anyPage)).to.equal(true);
  });
});
