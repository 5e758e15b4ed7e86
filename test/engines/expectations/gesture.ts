import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';

/** Time in milliseconds after which an event counts as not happening. A context that may play has started by then. */
export const NEVER_MS = 500;

/** Adds a test for engines that leave `resume()` pending until there is a gesture, although they could reject. */
export function expectPendingResume(): void {
  it('pending-resume: leaves `resume()` pending until there is a gesture', async () => {
    const context = new AudioContext();
    let settled = false;
    const resumed = context.resume().finally(() => (settled = true));
    await new Promise((resolve) => setTimeout(resolve, NEVER_MS));
    expect(settled).to.equal(false);
    expect(context.state).to.equal('suspended');
    addEventListener('click', () => void context.resume(), { once: true });
    await sendMouse({ type: 'click', position: [1, 1] });
    await resumed;
    expect(context.state).to.equal('running');
    await context.close();
  });
}

/** Adds a test for engines that do not report whether a context may play. */
export function expectNoAutoplayPolicy(): void {
  it('firefox-autoplay-policy: has no `getAutoplayPolicy()`', () => {
    expect('getAutoplayPolicy' in navigator).to.equal(false);
  });
}

/** Resolves when a running context has advanced by `seconds`. */
export function passed(context: AudioContext, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const source = new ConstantSourceNode(context, { offset: 0 });
    source.onended = () => resolve();
    source.connect(context.destination);
    source.start();
    source.stop(context.currentTime + seconds);
  });
}
