import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { WorkerCommand, WorkerReport } from '../../../src/connection/command.js';
import type { SpeakerReport } from '../../../src/connection/speaker-report.js';
import { type ConnectionWorker, connectionWorker } from '../../../src/launch/connection-worker.js';
import { LINGER_MS } from '../../../src/launch/linger.js';

/** A worker that only records what is posted to it. */
class FakeWorker {
  readonly commands: WorkerCommand[] = [];
  terminated = false;
  onmessage: ((event: { data: WorkerReport }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;

  postMessage(command: WorkerCommand): void {
    this.commands.push(command);
  }

  terminate(): void {
    this.terminated = true;
  }

  report(report: WorkerReport): void {
    this.onmessage?.({ data: report });
  }
}

/** Lets all microtasks run. */
const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const PENDING = Symbol('pending');
/** Returns the value or the rejection reason of a promise, or `PENDING`. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = PENDING;
  promise.then(
    (value) => (state = value),
    (error: unknown) => (state = error),
  );
  await microtasks();
  return state;
}

describe('connectionWorker', () => {
  let workers: FakeWorker[];
  let page: EventTarget;
  let number = 0;
  const acquire = (): ConnectionWorker =>
    connectionWorker(`/worker-${number}.js`, {
      createWorker: () => {
        workers.push(new FakeWorker());
        return workers.at(-1) as unknown as Worker;
      },
      page,
    });
  const open = (onReport: (report: SpeakerReport) => void = () => {}) => acquire().openChannel(onReport);

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    workers = [];
    page = new EventTarget();
    number++;
  });
  // Other files run in this process.
  afterEach(() => mock.timers.reset());

  it('starts one worker for all speakers of a file', () => {
    open();
    open();
    assert.equal(workers.length, 1);
    assert.deepEqual(
      workers[0]!.commands.map(({ type, speaker }) => `${type} ${speaker}`),
      ['open 1', 'open 2'],
    );
  });

  it('starts another worker for another file', () => {
    acquire();
    number++;
    acquire();
    assert.equal(workers.length, 2);
  });

  it('is ready when its script runs', async () => {
    const worker = acquire();
    worker.openChannel(() => {});
    assert.equal(await stateOf(worker.ready), PENDING);
    workers[0]!.report({ type: 'ready' });
    assert.equal(await stateOf(worker.ready), undefined);
    mock.timers.tick(60_000);
    assert.equal(workers[0]!.terminated, false);
  });

  it('gives each speaker its own reports', () => {
    const heard: string[] = [];
    const note = (name: string) => (report: SpeakerReport) => heard.push(`${name} ${JSON.stringify(report)}`);
    open(note('first'));
    open(note('second'));
    workers[0]!.report({ type: 'socket-open', speaker: 2 });
    workers[0]!.report({ type: 'context-done', speaker: 1, contextId: 'a' });
    assert.deepEqual(heard, ['second {"type":"socket-open"}', 'first {"type":"context-done","contextId":"a"}']);
  });

  it('turns the cause of a failure into an error', () => {
    const heard: SpeakerReport[] = [];
    open((report) => heard.push(report));
    const cause = { type: 'service-error', message: 'engine on fire' } as const;
    workers[0]!.report({ type: 'failed', serials: [1], sent: [1], cause, speaker: 1 });
    assert.deepEqual(
      heard.map((report) => report.type === 'failed' && report.error.message),
      ['The service could not speak this text: engine on fire. Change the text, or try again later.'],
    );
  });

  it('posts commands with the number of their speaker', () => {
    open();
    open().post({ type: 'keep-open', keepOpen: true });
    assert.deepEqual(workers[0]!.commands.at(-1), { type: 'keep-open', keepOpen: true, speaker: 2 });
  });

  describe('when a channel is closed', () => {
    it('posts that once, and nothing after it', () => {
      const channel = open();
      channel.close();
      channel.close();
      channel.post({ type: 'keep-open', keepOpen: true });
      assert.deepEqual(
        workers[0]!.commands.map(({ type }) => type),
        ['open', 'close'],
      );
    });

    it('reports only the end of its socket', () => {
      const heard: string[] = [];
      const channel = open((report) => heard.push(report.type));
      channel.close();
      workers[0]!.report({ type: 'received', speaker: 1, serial: 1, samples: 5 });
      workers[0]!.report({ type: 'socket-close', speaker: 1, code: 1000, reason: '', openMs: 5 });
      workers[0]!.report({ type: 'closed', speaker: 1 });
      assert.deepEqual(heard, ['socket-close']);
    });

    it('keeps the worker, without a socket, for 30 s after the last one', () => {
      const [first, second] = [open(), open()];
      first.close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      mock.timers.tick(2 * LINGER_MS);
      second.close();
      workers[0]!.report({ type: 'closed', speaker: 2 });
      mock.timers.tick(LINGER_MS - 1);
      assert.equal(workers[0]!.terminated, false);
      mock.timers.tick(1);
      assert.equal(workers[0]!.terminated, true);
    });

    it('ends the worker after 2 s if a socket does not close', () => {
      open().close();
      mock.timers.tick(1999);
      assert.equal(workers[0]!.terminated, false);
      mock.timers.tick(1);
      assert.equal(workers[0]!.terminated, true);
    });

    it('keeps the worker for a speaker that comes while a socket closes', () => {
      const channel = open();
      workers[0]!.report({ type: 'ready' });
      channel.close();
      open();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      mock.timers.tick(2 * LINGER_MS);
      assert.equal(workers.length, 1);
      assert.equal(workers[0]!.terminated, false);
    });

    it('keeps the worker for a speaker that comes while it lingers, and lingers again after that one', () => {
      open().close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      mock.timers.tick(LINGER_MS - 1);
      const next = open();
      mock.timers.tick(LINGER_MS);
      next.close();
      workers[0]!.report({ type: 'closed', speaker: 2 });
      mock.timers.tick(LINGER_MS - 1);
      assert.equal(workers[0]!.terminated, false);
      mock.timers.tick(1);
      assert.deepEqual([workers.length, workers[0]!.terminated], [1, true]);
    });

    it('starts a new worker for a speaker that comes later', () => {
      const worker = acquire();
      worker.openChannel(() => {}).close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      mock.timers.tick(LINGER_MS);
      assert.throws(() => worker.openChannel(() => {}), /call connectionWorker\(\) again/);
      open();
      assert.equal(workers.length, 2);
    });
  });

  describe('when the page is left', () => {
    const leave = (): boolean => page.dispatchEvent(new Event('pagehide'));

    it('ends a worker that lingers', () => {
      open().close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      leave();
      assert.equal(workers[0]!.terminated, true);
    });

    it('ends a worker whose sockets are still closing', () => {
      open().close();
      leave();
      assert.equal(workers[0]!.terminated, true);
    });

    it('ends a worker in use as soon as its last speaker has gone', () => {
      const channel = open();
      leave();
      assert.equal(workers[0]!.terminated, false);
      channel.close();
      assert.equal(workers[0]!.terminated, true);
    });

    it('starts a new worker if it is shown again', () => {
      acquire().end();
      open();
      assert.deepEqual(
        workers.map(({ terminated }) => terminated),
        [true, false],
      );
    });
  });

  describe('when the worker does not start', () => {
    it('rejects with the remedy for an error of its script', async () => {
      const worker = acquire();
      worker.openChannel(() => {});
      const event = { type: 'error' };
      workers[0]!.onerror!(event);
      const error = (await stateOf(worker.ready)) as Error;
      assert.match(error.message, /The worker file \/worker-\d+\.js \(worker-url\) did not load.*worker-src/);
      assert.equal(error.cause, event);
      assert.equal(workers[0]!.terminated, true);
    });

    it('rejects when its script has not started after 10 s', async () => {
      const worker = acquire();
      mock.timers.tick(5000);
      mock.timers.tick(4999);
      assert.equal(await stateOf(worker.ready), PENDING);
      mock.timers.tick(1);
      assert.match(String(await stateOf(worker.ready)), /worker-src/);
      assert.equal(workers[0]!.terminated, true);
    });

    it('handles the worker’s message after a page was blocked for longer than that', async () => {
      const worker = acquire();
      mock.timers.tick(5000); // the first timer that a blocked page runs, however late
      workers[0]!.report({ type: 'ready' });
      mock.timers.tick(60_000);
      assert.equal(await stateOf(worker.ready), undefined);
    });

    it('rejects when it cannot be constructed', async () => {
      const cause = new Error('SecurityError');
      const createWorker = (): never => {
        throw cause;
      };
      const worker = connectionWorker('/refused.js', { createWorker, page });
      const channel = worker.openChannel(() => {});
      channel.post({ type: 'keep-open', keepOpen: true });
      channel.close();
      assert.equal(((await stateOf(worker.ready)) as Error).cause, cause);
    });

    it('tries again for the next speaker', async () => {
      open();
      workers[0]!.onerror!({});
      await microtasks();
      open();
      assert.equal(workers.length, 2);
    });
  });
});
