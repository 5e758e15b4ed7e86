import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { speaking } from '../../../src/testing/script.js';
import { makeSpeaker, next, removeSpeakers, sessionUrl } from '../support/speaker.js';

const tone = { tone: 440, seconds: 0.1 };

/** Speaks, and returns the order in which the session is requested and the worker receives its first command. */
async function order(): Promise<string[]> {
  const steps: string[] = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function post(this: Worker, ...args: Parameters<typeof postMessage>) {
    if ((args[0] as { type: string }).type === 'enqueue') steps.push('enqueue');
    postMessage.apply(this, args);
  } as typeof postMessage;
  try {
    const speaker = makeSpeaker();
    speaker.sessionProvider = () => {
      steps.push('session');
      return Promise.resolve(sessionUrl(speaking(tone)));
    };
    speaker.speak('Tone.');
    await next(speaker, 'ended');
    return steps;
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
}

describe('The first session of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('is requested by the worker before the user has interacted with the page', async () => {
    expect(navigator.userActivation.hasBeenActive).to.equal(false);
    expect(await order()).to.deep.equal(['enqueue', 'session']);
  });

  it('is requested at once after a click', async () => {
    await sendMouse({ type: 'click', position: [1, 1] });
    expect(await order()).to.deep.equal(['session', 'enqueue']);
  });
});
