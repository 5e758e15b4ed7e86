import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import WebSocketClient from 'ws';
import type { SessionCommand, SessionReport } from '../../../src/session/command.js';
import { startGateway, type Gateway } from '../../gateway/gateway.js';
import { scriptUrl, speaking } from '../../gateway/script.js';
import { listen } from './listener.js';
import { until } from './speaker.js';

const entry = fileURLToPath(new URL('../../../src/session/session.worker.ts', import.meta.url));

/** Runs the worker's file as a classic script, with the globals it has in a browser's worker. */
async function startWorker() {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  const reports: SessionReport[] = [];
  const scope: Record<string, unknown> = {
    postMessage: (report: SessionReport) => reports.push(structuredClone(report)), // as a real one does
    WebSocket: WebSocketClient,
    SharedArrayBuffer,
    ArrayBuffer,
    performance,
    setTimeout,
    clearTimeout,
    URL,
  };
  runInContext(outputFiles[0]!.text, createContext(scope));
  const post = (command: SessionCommand): void =>
    (scope['onmessage'] as (event: { data: SessionCommand }) => void)({ data: command });
  return { reports, post };
}

describe('session.worker', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  it('says that it is ready as soon as it runs', async () => {
    const { reports } = await startWorker();
    assert.deepEqual(reports, [{ type: 'ready' }]);
  });

  it('serves several speakers, each with its own socket', async () => {
    const { reports, post } = await startWorker();
    const listeners = [1, 2].map(() => listen('shared', 2 ** 14));
    for (const speaker of [1, 2]) {
      post({ type: 'open', speaker });
      post({ type: 'attach', speaker, sink: listeners[speaker - 1]!.descriptor });
      post({ type: 'enqueue', speaker, serial: 1, contextId: 'c', text: 'Hello.' });
      const url = scriptUrl(gateway.url, speaking({ ramp: true, samples: 100 * speaker }));
      post({ type: 'session', speaker, serial: 1, session: { url, sampleRate: 24000, messages: [] } });
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

  it('forgets a speaker that is closed', async () => {
    const { reports, post } = await startWorker();
    post({ type: 'open', speaker: 1 });
    post({ type: 'close', speaker: 1 });
    post({ type: 'enqueue', speaker: 1, serial: 1, contextId: 'c', text: 'Hello.' });
    assert.deepEqual(reports.slice(1), [{ type: 'closed', speaker: 1 }]);
  });
});
