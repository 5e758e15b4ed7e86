import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../src/clock.js';
import { FliteThread } from '../../src/speech/flite-thread.js';

describe('FliteThread', () => {
  it('gives up when its worker does not start, three times in a row', async () => {
    // An invalid module: the worker ends before it is ready, each time.
    const module = {} as ConstructorParameters<typeof FliteThread>[0]['module'];
    let freed = 0;
    const thread = await new Promise<FliteThread>((resolve) => {
      const made: FliteThread = new FliteThread({
        module,
        clock: systemClock,
        timeLimitMs: 1000,
        onFree: () => freed++,
        onBroken: () => resolve(made),
      });
    });
    assert.equal(freed, 0);
    assert.equal(thread.free, false);
    await thread.close();
  });
});
