import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';

/** What does not happen takes time to see: longer than any context takes that is allowed to play. */
const NEVER_MS = 500;

/**
 * Every engine is expected to leave `resume()` pending for as long as it wants a gesture, where it could reject. On that
 * rest `#runningWithin` and `#resume` of `src/output/audio-output.ts`.
 */
export function expectPendingResume(): void {
  it('leaves `resume()` pending until there is a gesture (src/output/audio-output.ts)', async () => {
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

/** Resolves when the context has gone on by so many seconds of its own. It has to be running. */
export function passed(context: AudioContext, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const source = new ConstantSourceNode(context, { offset: 0 });
    source.onended = () => resolve();
    source.connect(context.destination);
    source.start();
    source.stop(context.currentTime + seconds);
  });
}
