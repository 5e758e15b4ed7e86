import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';

/** Milliseconds after which something that has not happened is taken not to happen: any context that may play has started. */
export const NEVER_MS = 500;

/** For engines that leave `resume()` pending while they want a gesture, and could reject. */
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

/** For engines that do not say whether a context may play. */
export function expectNoAutoplayPolicy(): void {
  it('firefox-autoplay-policy: has no `getAutoplayPolicy()`', () => {
    expect('getAutoplayPolicy' in navigator).to.equal(false);
  });
}

/** Resolves when a running context has advanced by so many seconds. */
export function passed(context: AudioContext, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const source = new ConstantSourceNode(context, { offset: 0 });
    source.onended = () => resolve();
    source.connect(context.destination);
    source.start();
    source.stop(context.currentTime + seconds);
  });
}
