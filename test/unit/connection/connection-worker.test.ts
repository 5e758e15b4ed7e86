import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import WebSocketClient from 'ws';
import type { WorkerCommand, WorkerReport } from '../../../src/connection/command.js';
import { startGateway, type Gateway } from '../../../src/testing/gateway.js';
import { scriptUrl, speaking } from '../../../src/testing/script.js';
import { listen } from './listener.js';
import { until } from './speaker.js';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Source of the worker file in the build, which must exist. */
const shipped = readFileSync(at('dist/threads/session.worker.js'), 'utf8');

/** Speakers that are open, with the function that closes each. */
const open: (() => void)[] = [];

/** Runs the worker's file as a classic script, with the globals it has in a browser's worker. */
function startWorker(now: () => number = Date.now) {
  const timers: { ms: number; run: () => void }[] = [];
  const reports: WorkerReport[] = [];
  const transferred: Transferable[] = [];
  const scope: Record<string, unknown> = {
    // As a real worker does.
    postMessage: (report: WorkerReport, transfer: Transferable[] = []) => {
      reports.push(structuredClone(report, { transfer }));
      transferred.push(...transfer);
    },
    WebSocket: WebSocketClient,
    SharedArrayBuffer,
    ArrayBuffer,
    performance,
    Date: { now },
    setTimeout: (run: () => void, ms: number) => {
      timers.push({ ms, run });
      return setTimeout(run, ms);
    },
    clearTimeout,
    URL,
  };
  runInContext(shipped, createContext(scope));
  const post = (command: WorkerCommand): void => {
    (scope['onmessage'] as (event: { data: WorkerCommand }) => void)({ data: command });
    const { type, speaker } = command;
    if (type === 'open') open.push(() => post({ type: 'close', speaker }));
  };
  const goOnline = (): void => (scope['ononline'] as () => void)();
  return { reports, transferred, timers, post, goOnline };
}

describe('The worker file', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway();
  });
  afterEach(() => open.splice(0).forEach((close) => close()));
  after(() => gateway.close());

  it('reports that it is ready as soon as it runs', async () => {
    const { reports } = startWorker();
    assert.deepEqual(reports, [{ type: 'ready' }]);
  });

  it('serves several speakers, each with its own socket', async () => {
    const { reports, post } = startWorker();
    const listeners = [1, 2].map(() => listen('shared', 2 ** 14));
    for (const speaker of [1, 2]) {
      post({ type: 'open', speaker });
      post({ type: 'attach', speaker, ring: listeners[speaker - 1]!.descriptor });
      post({ type: 'enqueue', speaker, serial: 1, contextId: 'c', texts: ['Hello.'], more: false });
      const url = scriptUrl(gateway.url, speaking({ ramp: true, samples: 100 * speaker }));
      post({
        type: 'connect',
        speaker,
        serial: 1,
        session: { url, sampleRate: 24000, messages: [] },
        canRenew: false,
        lead: null,
      });
    }
    await until(() => reports.filter(({ type }) => type === 'socket-close').length === 2, 'both sockets to close');
    const received = reports.filter((report) => report.type === 'received');
    assert.deepEqual(
      received.sort((a, b) => a.speaker - b.speaker),
      [
        { type: 'received', speaker: 1, serial: 1, samples: 100 },
        { type: 'received', speaker: 2, serial: 1, samples: 200 },
      ],
    );
    for (const listener of listeners) listener.take();
    assert.deepEqual(
      listeners.map((listener) => listener.heard(1).length),
      [100, 200],
    );
  });

  for (const what of ['the computer goes online', 'the clock jumps'] as const) {
    it(`gives an idle socket 2 s for its next answer if ${what}`, async () => {
      let now = 0;
      const { reports, timers, post, goOnline } = startWorker(() => now);
      post({ type: 'open', speaker: 1 });
      post({ type: 'keep-open', speaker: 1, keepOpen: true });
      post({ type: 'enqueue', speaker: 1, serial: 1, contextId: 'c', texts: ['Hello.'], more: false });
      const url = scriptUrl(gateway.url, [
        { wait: 'end' },
        { frames: { ramp: true, samples: 100 } },
        { done: true },
        { wait: 60_000 },
      ]);
      const session = { url, sampleRate: 24000, messages: [] };
      post({ type: 'connect', speaker: 1, serial: 1, session, canRenew: true, lead: null });
      await until(() => reports.some(({ type }) => type === 'received'), 'the speech');
      if (what === 'the computer goes online') goOnline();
      now = 60_000;
      if (what === 'the clock jumps') timers.find(({ ms }) => ms === 5000)!.run();
      post({ type: 'enqueue', speaker: 1, serial: 2, contextId: 'd', texts: ['Again.'], more: false });
      assert.equal(timers.at(-1)!.ms, 2000);
    });
  }

  it('transfers the samples that are read, because they are a copy already', async () => {
    const { reports, transferred, post } = startWorker();
    post({ type: 'open', speaker: 1 });
    post({ type: 'history', speaker: 1, seconds: 600 });
    post({ type: 'enqueue', speaker: 1, serial: 1, contextId: 'c', texts: ['Hello.'], more: false });
    const url = scriptUrl(gateway.url, speaking({ ramp: true, samples: 100 }));
    post({
      type: 'connect',
      speaker: 1,
      serial: 1,
      session: { url, sampleRate: 24000, messages: [] },
      canRenew: false,
      lead: null,
    });
    await until(() => reports.some(({ type }) => type === 'received'), 'the speech');
    for (const serial of [1, null, 2]) post({ type: 'read', speaker: 1, request: 1, serial });
    const answers = reports.filter((report) => report.type === 'samples');
    assert.deepEqual(
      answers.map(({ samples }) => samples?.length),
      [100, 100, undefined],
    );
    assert.deepEqual(
      transferred.map((buffer) => (buffer as ArrayBuffer).byteLength),
      [0, 0],
    );
    post({ type: 'close', speaker: 1 });
  });

  it('forgets a speaker that is closed', async () => {
    const { reports, post } = startWorker();
    post({ type: 'open', speaker: 1 });
    post({ type: 'close', speaker: 1 });
    post({ type: 'enqueue', speaker: 1, serial: 1, contextId: 'c', texts: ['Hello.'], more: false });
    assert.deepEqual(reports.slice(1), [{ type: 'closed', speaker: 1 }]);
  });
});
