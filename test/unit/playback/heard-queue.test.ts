import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { threadClock } from '../../../src/base/thread-clock.js';
import { HeardQueue } from '../../../src/playback/heard-queue.js';
import { FakeClock } from '../fake-clock.js';

function make() {
  const clock = new FakeClock();
  const heard: string[] = [];
  const queue = new HeardQueue(clock);
  return { clock, heard, queue, push: (ms: number, name: string) => queue.push(ms, () => heard.push(name)) };
}

describe('HeardQueue', () => {
  it('runs each entry when its time has come', () => {
    const { clock, heard, push } = make();
    push(30, 'a');
    push(50, 'b');
    clock.advance(29);
    assert.deepEqual(heard, []);
    clock.advance(1);
    assert.deepEqual(heard, ['a']);
    clock.advance(20);
    assert.deepEqual(heard, ['a', 'b']);
  });

  it('keeps the order when the latency shrinks', () => {
    const { clock, heard, push } = make();
    push(100, 'a');
    push(10, 'b');
    clock.advance(99);
    assert.deepEqual(heard, []);
    clock.advance(1);
    assert.deepEqual(heard, ['a', 'b']);
  });

  it('runs an overdue entry at once', () => {
    const { clock, heard, push } = make();
    push(-50, 'a');
    clock.advance(0);
    assert.deepEqual(heard, ['a']);
  });

  it('runs late entries of different moments in tasks of their own, and those of one moment together', async () => {
    const heard: string[] = [];
    // Real timers, so that each is a task; its time stands still, however slow the machine is.
    const queue = new HeardQueue({ now: () => 1_800_000_000_000, after: threadClock.after });
    queue.push(-250, () => {
      heard.push('a');
      void Promise.resolve().then(() => heard.push('after a'));
    });
    queue.push(-245, () => heard.push('with a'));
    await new Promise<void>((resolve) => queue.push(-50, () => resolve(void heard.push('b'))));
    assert.deepEqual(heard, ['a', 'with a', 'after a', 'b']);
  });

  it('needs one timer for any number of entries', () => {
    const { clock, push } = make();
    for (let i = 0; i < 100; i++) push(i, String(i));
    assert.equal(clock.pending, 1);
    clock.advance(200);
    assert.equal(clock.pending, 0);
  });

  it('accepts an entry from within an entry', () => {
    const { clock, heard, queue, push } = make();
    queue.push(10, () => {
      heard.push('a');
      push(10, 'b');
    });
    push(15, 'c');
    clock.advance(100);
    assert.deepEqual(heard, ['a', 'c', 'b']);
    assert.equal(clock.pending, 0);
  });

  it('forgets everything, even from within an entry', () => {
    const { clock, heard, queue, push } = make();
    queue.push(10, () => {
      heard.push('a');
      queue.clear();
    });
    push(10, 'b');
    push(20, 'c');
    clock.advance(100);
    assert.deepEqual(heard, ['a']);
    assert.equal(clock.pending, 0);
  });
});
