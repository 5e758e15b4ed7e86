import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import type { WorkerCommand, WorkerReport } from '../../../src/connection/command.js';
import type { SpeakerReport } from '../../../src/connection/speaker-report.js';
import { acquireSessionWorker, type SessionWorker } from '../../../src/connection/session-client.js';

/** A worker that only writes down what it is told. */
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

  /** Number of the speaker that was opened last. */
  get latest(): number {
    return this.commands.findLast((command) => command.type === 'open')!.speaker;
  }
}

const PENDING = Symbol('pending');
const stateOf = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, Promise.resolve(PENDING)]).catch((error: unknown) => error);

describe('acquireSessionWorker', () => {
  let workers: FakeWorker[];
  let key = 0;
  const acquire = (): SessionWorker =>
    acquireSessionWorker(
      () => {
        workers.push(new FakeWorker());
        return workers.at(-1) as unknown as Worker;
      },
      `worker ${key}`,
      { failure: 'look at worker-src' },
    );

  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
    workers = [];
    key++;
  });

  it('starts one worker for all speakers of a key', () => {
    acquire().speaker(() => {});
    acquire().speaker(() => {});
    assert.equal(workers.length, 1);
    assert.deepEqual(
      workers[0]!.commands.map(({ type, speaker }) => `${type} ${speaker}`),
      ['open 1', 'open 2'],
    );
  });

  it('starts another worker for another key', () => {
    acquire();
    key++;
    acquire();
    assert.equal(workers.length, 2);
  });

  it('is ready when the script says so', async () => {
    const worker = acquire();
    worker.speaker(() => {});
    assert.equal(await stateOf(worker.ready), PENDING);
    workers[0]!.report({ type: 'ready' });
    assert.equal(await stateOf(worker.ready), undefined);
    mock.timers.tick(60_000);
    assert.equal(workers[0]!.terminated, false);
  });

  it('gives each speaker its own reports', () => {
    const heard: string[] = [];
    const note = (name: string) => (report: SpeakerReport) => heard.push(`${name} ${JSON.stringify(report)}`);
    acquire().speaker(note('first'));
    acquire().speaker(note('second'));
    workers[0]!.report({ type: 'socket-open', speaker: 2 });
    workers[0]!.report({ type: 'context-done', speaker: 1, contextId: 'a' });
    assert.deepEqual(heard, ['second {"type":"socket-open"}', 'first {"type":"context-done","contextId":"a"}']);
  });

  it('turns the cause of a failure into an error', () => {
    const heard: SpeakerReport[] = [];
    acquire().speaker((report) => heard.push(report));
    const cause = { type: 'service-error', message: 'engine on fire' } as const;
    workers[0]!.report({ type: 'failed', serials: [1], cause, speaker: 1 });
    assert.deepEqual(
      heard.map((report) => report.type === 'failed' && report.error.message),
      ['The service could not speak this text: engine on fire. Change the text, or try again later.'],
    );
  });

  it('posts commands with the number of their speaker', () => {
    acquire().speaker(() => {});
    const channel = acquire().speaker(() => {});
    channel.post({ type: 'keep-open', keepOpen: true });
    assert.deepEqual(workers[0]!.commands.at(-1), { type: 'keep-open', keepOpen: true, speaker: 2 });
  });

  describe('when a line is closed', () => {
    it('says so to the worker once, and posts nothing after it', () => {
      const channel = acquire().speaker(() => {});
      channel.close();
      channel.close();
      channel.post({ type: 'keep-open', keepOpen: true });
      assert.deepEqual(
        workers[0]!.commands.map(({ type }) => type),
        ['open', 'close'],
      );
    });

    it('lets through only the end of the socket', () => {
      const heard: string[] = [];
      const channel = acquire().speaker((report) => heard.push(report.type));
      channel.close();
      workers[0]!.report({ type: 'received', speaker: 1, serial: 1, samples: 5 });
      workers[0]!.report({ type: 'socket-close', speaker: 1, code: 1000, reason: '', openMs: 5 });
      workers[0]!.report({ type: 'closed', speaker: 1 });
      assert.deepEqual(heard, ['socket-close']);
    });

    it('ends the worker with the last one, when its socket is closed', () => {
      const first = acquire().speaker(() => {});
      const second = acquire().speaker(() => {});
      first.close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      second.close();
      assert.equal(workers[0]!.terminated, false);
      workers[0]!.report({ type: 'closed', speaker: 2 });
      assert.equal(workers[0]!.terminated, true);
    });

    it('ends the worker after 2 s if a socket does not close', () => {
      acquire()
        .speaker(() => {})
        .close();
      mock.timers.tick(1999);
      assert.equal(workers[0]!.terminated, false);
      mock.timers.tick(1);
      assert.equal(workers[0]!.terminated, true);
    });

    it('keeps the worker for a speaker that comes in between', () => {
      const channel = acquire().speaker(() => {});
      workers[0]!.report({ type: 'ready' });
      channel.close();
      acquire().speaker(() => {});
      workers[0]!.report({ type: 'closed', speaker: 1 });
      mock.timers.tick(60_000);
      assert.equal(workers.length, 1);
      assert.equal(workers[0]!.terminated, false);
    });

    it('starts a new worker for a speaker that comes later', () => {
      const worker = acquire();
      worker.speaker(() => {}).close();
      workers[0]!.report({ type: 'closed', speaker: 1 });
      assert.throws(() => worker.speaker(() => {}), /acquire it again/);
      acquire().speaker(() => {});
      assert.equal(workers.length, 2);
    });
  });

  describe('when the worker does not start', () => {
    it('rejects with the advice of the caller on an error of its script', async () => {
      const worker = acquire();
      worker.speaker(() => {});
      const event = { type: 'error' };
      workers[0]!.onerror!(event);
      const error = (await stateOf(worker.ready)) as Error;
      assert.equal(error.message, 'look at worker-src');
      assert.equal(error.cause, event);
      assert.equal(workers[0]!.terminated, true);
    });

    it('rejects when nothing is heard of it for 10 s', async () => {
      const worker = acquire();
      mock.timers.tick(5_000);
      mock.timers.tick(4_999);
      assert.equal(await stateOf(worker.ready), PENDING);
      mock.timers.tick(1);
      assert.match(String(await stateOf(worker.ready)), /look at worker-src/);
    });

    it('gives a page that was busy for longer than that a chance to hear of it', async () => {
      const worker = acquire();
      mock.timers.tick(5_000); // the first timer that a blocked page runs, however late
      workers[0]!.report({ type: 'ready' });
      mock.timers.tick(60_000);
      assert.equal(await stateOf(worker.ready), undefined);
    });

    it('rejects when the worker cannot even be made', async () => {
      const cause = new Error('SecurityError');
      const refuse = (): never => {
        throw cause;
      };
      const worker = acquireSessionWorker(refuse, 'refused');
      const channel = worker.speaker(() => {});
      channel.post({ type: 'keep-open', keepOpen: true });
      channel.close();
      assert.equal(((await stateOf(worker.ready)) as Error).cause, cause);
    });

    it('tries again for the next speaker', () => {
      acquire().speaker(() => {});
      workers[0]!.onerror!({});
      acquire().speaker(() => {});
      assert.equal(workers.length, 2);
    });
  });
});
