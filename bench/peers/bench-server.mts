import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { feed } from './feed.mjs';
import { pagePlan, type Plan } from './plan.mjs';
import type { Player } from './players.mjs';
import { unpackRecording, type Recording } from './recording.mjs';
import { SOURCE_RATE } from './speech-signal.mjs';

/** One run of one player, from the server's view. */
export interface Run {
  /** URL for the browser to open. */
  readonly url: string;
  /** Resolves when the player is loaded and waits. Rejects with the reason if it cannot be loaded. */
  readonly ready: Promise<void>;
  /** Makes the page request the speech. */
  start(): void;
  /** Resolves at the end with the recording and the time at which the first frame was sent, in ms since the epoch. */
  readonly finished: Promise<{ recording: Recording; firstFrameAtMs: number }>;
  /** Ends the run with a reason that the server cannot know. */
  fail(reason: string): void;
}

/** Serves the pages, sends the speech and receives the recordings. */
export interface BenchServer {
  /** Prepares a run, which begins when a browser opens its `url`. One run at a time. */
  prepare(player: Player, plan: Plan): Run;
  close(): Promise<void>;
}

/** State of a run. */
interface State {
  readonly player: Player;
  readonly plan: Plan;
  readonly ready: PromiseWithResolvers<void>;
  readonly started: PromiseWithResolvers<void>;
  readonly finished: PromiseWithResolvers<{ recording: Recording; firstFrameAtMs: number }>;
  firstFrameAtMs: Promise<number | null>;
}

type PromiseWithResolvers<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: Error) => void };

/**
 * Starts a server on a free loopback port.
 *
 * @param scripts - Scripts of the pages, by name of the player.
 * @param humeWorklet - The file that hume's player loads at run time; null if it is not available.
 */
export async function startBenchServer(
  scripts: ReadonlyMap<string, string>,
  humeWorklet: string | null,
): Promise<BenchServer> {
  const runs = new Map<string, State>();
  const runOf = (url: URL): State | undefined => runs.get(url.searchParams.get('run') ?? '');

  const http = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    answer(request, response, url, runOf(url), { scripts, humeWorklet }).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket, request) => {
    const run = runOf(new URL(request.url!, 'http://localhost'));
    if (run) listen(socket, run);
    else socket.close(1008, 'no such run');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  return {
    prepare(player, plan) {
      const id = String(runs.size + 1);
      const state: State = {
        player,
        plan,
        ready: deferred(),
        started: deferred(),
        finished: deferred(),
        firstFrameAtMs: Promise.resolve(null),
      };
      // A run may fail before anyone awaits these promises, and later nobody may await them.
      state.ready.promise.catch(() => {});
      state.finished.promise.catch(() => {});
      runs.set(id, state);
      return {
        url: `http://127.0.0.1:${port}/page?run=${id}`,
        ready: state.ready.promise,
        start: () => state.started.resolve(),
        finished: state.finished.promise,
        fail: (reason) => fail(state, reason),
      };
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Starts the speech at the first text message of the client: `synthesize` in our protocol, `start` in the others. */
function listen(socket: WebSocket, run: State): void {
  let begun = false;
  socket.on('message', (data: Buffer, binary) => {
    if (binary || begun) return;
    const message = JSON.parse(data.toString()) as { type: string; context_id?: string };
    if (message.type !== (run.player.format === 'svctts' ? 'synthesize' : 'start')) return;
    begun = true;
    run.firstFrameAtMs = feed(socket, run.plan, run.player.format, message.context_id ?? null);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  run: State | undefined,
  { scripts, humeWorklet }: { scripts: ReadonlyMap<string, string>; humeWorklet: string | null },
): Promise<void> {
  if (!run) {
    response.writeHead(404).end();
    return;
  }
  const { player } = run;
  switch (url.pathname) {
    case '/page':
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        ...(player.isolated
          ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
          : {}),
      });
      response.end(
        `<!doctype html><html lang="en"><title>${player.name}</title><body>` +
          `<script type="module" src="/script?${url.searchParams.toString()}"></script></body></html>`,
      );
      return;
    case '/script':
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(scripts.get(player.name));
      return;
    case '/hume-worklet':
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(humeWorklet);
      return;
    case '/plan':
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(pagePlan(run.plan, SOURCE_RATE)));
      return;
    case '/ready':
      run.ready.resolve();
      await run.started.promise;
      response.writeHead(204).end();
      return;
    case '/failed':
      fail(run, (await body(request)).toString());
      response.writeHead(204).end();
      return;
    case '/recording': {
      const bytes = await body(request);
      const firstFrameAtMs = await run.firstFrameAtMs;
      if (firstFrameAtMs === null) fail(run, 'The page never asked for speech.');
      else run.finished.resolve({ recording: unpackRecording(exactBuffer(bytes)), firstFrameAtMs });
      response.writeHead(204).end();
      return;
    }
    default:
      response.writeHead(404).end();
  }
}

function fail(run: State, reason: string): void {
  run.ready.reject(new Error(reason));
  run.finished.reject(new Error(reason));
}

async function body(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function exactBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function deferred<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
