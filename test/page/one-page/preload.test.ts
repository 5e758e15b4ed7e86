import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { speaking } from '../../../src/testing/script.js';
import { ended, makeSpeaker, removeSpeakers, scriptedSessions } from '../support/speaker.js';
import { openContexts } from '../support/tap.js';

/** The chunks of the player that this page has loaded on demand: at most one of the element and one of the output. */
function onDemand(): string[] {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  return files.filter((file) => file.includes('/on-demand-'));
}

/** Resolves when the browser has loaded `count` chunks. */
async function loadedChunks(count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const observer = new PerformanceObserver(() => {
      if (onDemand().length < count) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'resource', buffered: true });
  });
}

/** Adds a button to the page. */
function makeButton(id: string): HTMLElement {
  const button = document.createElement('button');
  Object.assign(button, { id, textContent: id });
  document.body.append(button);
  return button;
}

/** Moves the mouse to a button from elsewhere. Resolves when the page has handled it. */
async function pointAt(button: HTMLElement): Promise<void> {
  const { left, top, bottom } = button.getBoundingClientRect();
  await sendMouse({ type: 'move', position: [Math.ceil(left) + 3, Math.ceil(bottom) + 50] });
  const handled = new Promise((resolve) => button.addEventListener('pointerover', resolve, { once: true }));
  await sendMouse({ type: 'move', position: [Math.ceil(left) + 3, Math.ceil(top) + 3] });
  await handled;
}

/** Resolves after everything that was to be done in idle time so far, and the requests that followed from it. */
async function idle(): Promise<void> {
  await new Promise<void>((resolve) => {
    // WebKit has none; there, the element also waits for a timer.
    (globalThis.requestIdleCallback ?? setTimeout)(() => resolve());
  });
  await fetch('/test/setup/gateway.js');
}

describe('preload', () => {
  const workers: string[] = [];
  const { Worker: NativeWorker } = globalThis;

  before(() => {
    globalThis.Worker = class extends NativeWorker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers.push(String(url));
      }
    };
  });
  after(() => {
    globalThis.Worker = NativeWorker;
  });
  afterEach(removeSpeakers);

  it('is auto by default, and reflects', () => {
    const speaker = makeSpeaker({ preload: 'none' });
    expect(speaker.preload).to.equal('none');
    speaker.preload = 'auto';
    expect(speaker.getAttribute('preload')).to.equal('auto');
    speaker.setAttribute('preload', 'metadata');
    expect(speaker.preload).to.equal('auto');
    speaker.setAttribute('preload', 'NONE');
    expect(speaker.preload).to.equal('none');
    speaker.removeAttribute('preload');
    expect(speaker.preload).to.equal('auto');
    // The page has no time to load anything before the next test.
    speaker.preload = 'none';
  });

  it('loads nothing with none', async () => {
    makeSpeaker({ preload: 'none' });
    await idle();
    expect(onDemand()).to.deep.equal([]);
  });

  it('loads the code while the page is idle, and opens nothing', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 0.1 })]);
    await loadedChunks(2);
    await idle();
    expect([sessions.length, workers.length, openContexts().length]).to.deep.equal([0, 0, 0]);
    expect([speaker.networkState, speaker.state]).to.deep.equal([0, 'idle']);
    speaker.speak('Hello.');
    await ended(speaker);
    expect(sessions.length).to.equal(1);
    expect(onDemand().length, 'nothing is loaded twice').to.equal(2);
  });

  it('opens nothing until the pointer comes to a button that prepare selects, then all but the session', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 0.1 })]);
    speaker.prepare = '#ask, .read';
    // A worker of its own: that of another test may be kept for a while.
    speaker.workerUrl = '/dist/threads/session.worker.js';
    const [other, ask] = [makeButton('other'), makeButton('ask')];
    await idle();
    workers.length = 0;
    await pointAt(other);
    expect(workers).to.deep.equal([]);
    await pointAt(ask);
    expect([workers.length, openContexts().length, sessions.length]).to.deep.equal([1, 1, 0]);
    expect([speaker.networkState, speaker.state]).to.deep.equal([0, 'idle']);
    speaker.speak('Hello.');
    await ended(speaker);
    expect([workers.length, openContexts().length], 'nothing is opened twice').to.deep.equal([1, 1]);
    expect(sessions.length).to.equal(1);
    other.remove();
    ask.remove();
  });

  it('opens the same when the focus comes to one of them, as by the keyboard', async () => {
    const { speaker, sessions } = scriptedSessions([speaking({ tone: 440, seconds: 0.1 })]);
    speaker.prepare = '.read';
    speaker.workerUrl = '/dist/threads/session.worker.js?focus';
    const [other, read] = [makeButton('other'), makeButton('read')];
    read.className = 'read';
    await idle();
    workers.length = 0;
    other.focus();
    expect(workers).to.deep.equal([]);
    read.focus();
    expect([workers.length, openContexts().length, sessions.length]).to.deep.equal([1, 1, 0]);
    other.remove();
    read.remove();
  });
});
