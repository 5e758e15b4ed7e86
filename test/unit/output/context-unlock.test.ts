import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { ContextUnlock } from '../../../src/output/context-unlock.js';

/** More than the time after which a context counts as blocked. */
const BLOCKED_MS = 150;

describe('ContextUnlock', () => {
  /** Imitates a page without a gesture, and a context that is asked to run. */
  function open(t: TestContext) {
    const page = { navigator: {}, addEventListener: () => {} };
    const before = Object.keys(page).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
    for (const [name, value] of Object.entries(page)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    t.after(() => {
      for (const [name, property] of before) {
        if (property) Object.defineProperty(globalThis, name, property);
        else Reflect.deleteProperty(globalThis, name);
      }
    });
    const context = Object.assign(new EventTarget(), { state: 'suspended', resume: async () => {} });
    return { context, unlock: new ContextUnlock(context as unknown as AudioContext) };
  }

  it('does not take a context for blocked that has started while the page was blocked', async (t) => {
    const { context, unlock } = open(t);
    const { port1, port2 } = new MessageChannel();
    port1.once('message', () => {
      context.state = 'running';
      context.dispatchEvent(new Event('statechange'));
      port1.close();
    });
    await setImmediate(); // Timers run next in the event loop, before messages are read.
    const isAllowed = unlock.unlock();
    port2.postMessage('runs');
    for (const from = performance.now(); performance.now() < from + BLOCKED_MS;);
    assert.equal(await isAllowed, true);
  });

  it('leaves no timer once the context runs', async (t) => {
    const { context, unlock } = open(t);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const isAllowed = unlock.unlock();
    assert.ok(timers() > before);
    context.state = 'running';
    context.dispatchEvent(new Event('statechange'));
    assert.equal(await isAllowed, true);
    assert.equal(timers(), before);
  });

  it('takes a context for blocked that does not start', async (t) => {
    const { unlock } = open(t);
    assert.equal(await unlock.unlock(), false);
  });
});
